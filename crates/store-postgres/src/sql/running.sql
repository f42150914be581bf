-- How many jobs of a queue are held, by tenant. Held jobs are no more than all workers have permits, and are
-- read by an index that has no others, `runs_leases` or `runs_held`.
SELECT runs.tenant, count(*) AS jobs
FROM runs
WHERE runs.state IN ('leased', 'running', 'pausing', 'cancelling')
    AND runs.set_aside_at IS NULL
    AND runs.queue = $1
GROUP BY runs.tenant
