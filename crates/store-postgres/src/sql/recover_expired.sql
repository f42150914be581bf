-- Jobs whose lease has expired, each row locked, without those that somebody else has locked, such as a
-- worker that renews its lease just now; by `runs_leases`.
WITH expired AS MATERIALIZED (
    SELECT *
    FROM runs
    WHERE state IN ('leased', 'running', 'pausing', 'cancelling')
        AND set_aside_at IS NULL
        AND lease_expires_at < coalesce($1::timestamptz, statement_timestamp())
    ORDER BY lease_expires_at, job_id
    LIMIT $2
    FOR UPDATE SKIP LOCKED
)
SELECT expired.*, coalesce($1::timestamptz, clock_timestamp()) AS now_at FROM expired
