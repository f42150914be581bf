-- Waits that are over, each row locked, without those that somebody else has locked; by `runs_due`.
WITH due AS MATERIALIZED (
    SELECT *
    FROM runs
    WHERE state = 'retry_wait'
        AND set_aside_at IS NULL
        AND ready_at <= coalesce($1::timestamptz, statement_timestamp())
    ORDER BY ready_at, job_id
    LIMIT $2
    FOR UPDATE SKIP LOCKED
)
SELECT due.*, coalesce($1::timestamptz, clock_timestamp()) AS now_at FROM due
