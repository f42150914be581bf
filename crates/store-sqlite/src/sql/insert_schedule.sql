-- A new schedule, unless the tenant has one of that name, which the unique index on (tenant, name) tells.
INSERT INTO schedules (
    schedule_id, tenant, name, cron, zone, every_us, missed, project, kind, queue, priority, payload,
    authority, limits, max_attempts, added_at, next_at
) VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
)
ON CONFLICT (tenant, name) DO NOTHING
RETURNING schedule_id
