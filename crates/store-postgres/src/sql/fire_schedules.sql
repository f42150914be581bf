-- Schedules whose tick is due, each row locked, without those that somebody else is firing; by
-- `schedules_next`.
WITH due AS MATERIALIZED (
    SELECT *
    FROM schedules
    WHERE next_at <= coalesce($1::timestamptz, statement_timestamp())
    ORDER BY next_at
    LIMIT $2
    FOR UPDATE SKIP LOCKED
)
SELECT due.*, coalesce($1::timestamptz, clock_timestamp()) AS now_at FROM due
