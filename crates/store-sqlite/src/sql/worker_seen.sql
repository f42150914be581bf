-- Notes that a worker is there; by the primary key.
INSERT INTO workers (worker_id, kinds, queues, capacity, started_at, seen_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?5)
ON CONFLICT (worker_id) DO UPDATE
SET kinds = excluded.kinds, queues = excluded.queues, capacity = excluded.capacity,
    seen_at = excluded.seen_at
