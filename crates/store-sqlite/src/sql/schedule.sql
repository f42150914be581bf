-- A schedule of a tenant; by the unique index on (tenant, name).
SELECT * FROM schedules WHERE tenant = ?1 AND name = ?2
