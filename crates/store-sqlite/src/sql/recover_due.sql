-- Waits that are over, under the writer's lock; by `runs_due`.
SELECT *
FROM runs
WHERE state = 'retry_wait' AND set_aside_at IS NULL AND ready_at <= ?1
ORDER BY ready_at, job_id
LIMIT ?2
