-- Every job that a worker holds, under the writer's lock, so that all its leases are renewed together; by
-- `runs_leases`, whose rows are no more than all workers have permits.
SELECT *
FROM runs
WHERE lease_expires_at IS NOT NULL AND lease_owner = ?1
