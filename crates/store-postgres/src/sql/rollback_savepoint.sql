-- Takes back what was written for the row of the sweep; the savepoint itself stays.
ROLLBACK TO SAVEPOINT one_row
