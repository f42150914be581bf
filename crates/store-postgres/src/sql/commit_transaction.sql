-- Makes everything that the transaction wrote durable, or nothing of it.
COMMIT
