-- The workers that were seen lately. They are few, since the silent ones are forgotten, so the primary key is as
-- good as `workers_seen`.
SELECT worker_id, kinds, queues, capacity, started_at, seen_at
FROM workers
WHERE seen_at >= coalesce($1::timestamptz, statement_timestamp()) - make_interval(secs => $2)
ORDER BY worker_id
