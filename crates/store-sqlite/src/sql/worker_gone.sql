-- Forgets a worker that has ended; by the primary key.
DELETE FROM workers WHERE worker_id = ?1
