-- One job, if it is ready and the limit allows one, under the writer's lock; by primary key.
SELECT *
FROM runs
WHERE job_id = ?1 AND state = 'queued' AND set_aside_at IS NULL AND ready_at <= ?2
    AND NOT EXISTS (SELECT 1 FROM paused_queues WHERE paused_queues.queue = runs.queue)
LIMIT ?3
