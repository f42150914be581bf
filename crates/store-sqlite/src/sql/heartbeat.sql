-- Every job that a worker holds, under the writer's lock, so that all its leases are renewed together; by
-- `runs_held`.
SELECT *
FROM runs
WHERE lease_owner = ?1 AND state IN ('leased', 'running', 'pausing', 'cancelling')
