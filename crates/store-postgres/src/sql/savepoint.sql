-- Lets one row of a sweep fail without the others.
SAVEPOINT one_row
