-- Jobs whose lease has expired, under the writer's lock; by `runs_leases`.
SELECT *
FROM runs
WHERE state IN ('leased', 'running', 'pausing', 'cancelling')
    AND set_aside_at IS NULL
    AND lease_expires_at < ?1
ORDER BY lease_expires_at, job_id
LIMIT ?2
