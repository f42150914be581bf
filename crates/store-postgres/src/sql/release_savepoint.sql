-- Keeps what was written for the row of the sweep.
RELEASE SAVEPOINT one_row
