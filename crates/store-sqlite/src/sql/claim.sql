-- The ready jobs of a queue in the order in which they are claimed, under the writer's lock. The list of
-- priorities lets `runs_ready` stop at the first job of each that is not ready yet.
SELECT *
FROM runs
WHERE queue = ?1
    AND state = 'queued'
    AND set_aside_at IS NULL
    AND priority IN (9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
    AND ready_at <= ?2
    AND NOT EXISTS (SELECT 1 FROM paused_queues WHERE paused_queues.queue = ?1)
ORDER BY priority DESC, ready_at, job_id
LIMIT ?3
