-- Every job that a worker holds, each row locked, in the order of ids, so that all its leases are renewed
-- together; by `runs_held`.
WITH held AS MATERIALIZED (
    SELECT *
    FROM runs
    WHERE lease_owner = $1 AND state IN ('leased', 'running', 'pausing', 'cancelling')
    ORDER BY job_id
    FOR UPDATE
)
SELECT held.*, coalesce($2::timestamptz, clock_timestamp()) AS now_at FROM held
