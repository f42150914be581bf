-- A page of what may name blobs in schedules; by primary key.
SELECT schedule_id, payload FROM schedules WHERE schedule_id > $1 ORDER BY schedule_id LIMIT $2
