-- Jobs that ended too long ago, each outcome locked, without those that somebody else has locked, such as one
-- that is just retried; by `outcomes_ended`.
WITH old AS MATERIALIZED (
    SELECT job_id
    FROM outcomes
    WHERE queue = $1
        AND state = $2
        AND ended_at < coalesce($4::timestamptz, statement_timestamp()) - $3 * interval '1 microsecond'
        AND in_doubt_calls = 0
    ORDER BY ended_at, job_id
    LIMIT $5
    FOR UPDATE SKIP LOCKED
)
SELECT old.job_id, coalesce($4::timestamptz, clock_timestamp()) AS now_at FROM old
