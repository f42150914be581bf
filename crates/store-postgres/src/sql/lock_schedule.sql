-- A schedule of a tenant, locked before somebody steers it, and the time; by the unique index on (tenant,
-- name).
WITH locked AS MATERIALIZED (
    SELECT * FROM schedules WHERE tenant = $1 AND name = $2 FOR UPDATE
)
SELECT locked.*, coalesce($3::timestamptz, clock_timestamp()) AS now_at FROM locked
