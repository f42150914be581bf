-- Removes a schedule of a tenant; by the unique index on (tenant, name). Its jobs stay.
DELETE FROM schedules WHERE tenant = ?1 AND name = ?2 RETURNING schedule_id
