-- Makes everything that the group wrote durable, or nothing of it.
COMMIT
