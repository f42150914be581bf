-- Says one thing to every process that listens. A transaction that does nothing else waits for no disk.
SELECT pg_notify($1, $2)
