-- Notes that a worker is there, by the primary key, and forgets a few that have been silent for too long, by
-- `workers_seen`; rows that somebody else forgets just now are left to them.
WITH instant AS MATERIALIZED (
    SELECT coalesce($5::timestamptz, clock_timestamp()) AS now_at
),
silent AS MATERIALIZED (
    SELECT workers.worker_id
    FROM workers
    WHERE workers.seen_at < (SELECT instant.now_at FROM instant) - make_interval(secs => $6)
    ORDER BY workers.seen_at
    LIMIT 100
    FOR UPDATE SKIP LOCKED
),
forgotten AS (
    DELETE FROM workers USING silent
    WHERE workers.worker_id = silent.worker_id AND workers.worker_id <> $1
)
INSERT INTO workers (worker_id, kinds, queues, capacity, started_at, seen_at)
SELECT $1, $2, $3, $4, instant.now_at, instant.now_at
FROM instant
ON CONFLICT (worker_id) DO UPDATE
SET kinds = excluded.kinds, queues = excluded.queues, capacity = excluded.capacity,
    seen_at = excluded.seen_at
