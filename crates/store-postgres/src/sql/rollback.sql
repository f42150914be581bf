-- Takes back everything that the transaction wrote.
ROLLBACK
