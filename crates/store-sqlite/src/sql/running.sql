-- How many jobs of a queue are held, by tenant. Held jobs are no more than all workers have permits, and are
-- read by an index that has no others, `runs_leases`.
SELECT tenant, count(*) AS jobs
FROM runs
WHERE lease_expires_at IS NOT NULL AND set_aside_at IS NULL AND queue = ?1
GROUP BY tenant
