-- Keeps what was written for the row of the sweep.
RELEASE one_row
