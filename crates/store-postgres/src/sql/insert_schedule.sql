-- A new schedule, unless the tenant has one of that name, which the unique index on (tenant, name) tells.
INSERT INTO schedules (
    schedule_id, tenant, name, cron, zone, every_us, missed, project, kind, queue, priority, payload,
    authority, limits, max_attempts, added_at, next_at
) VALUES (
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb, $14::jsonb, $15, $16, $17
)
ON CONFLICT (tenant, name) DO NOTHING
RETURNING schedule_id
