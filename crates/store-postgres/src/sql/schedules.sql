-- A page of a tenant's schedules; by the unique index on (tenant, name).
SELECT * FROM schedules WHERE tenant = $1 AND name > $2 ORDER BY name LIMIT $3
