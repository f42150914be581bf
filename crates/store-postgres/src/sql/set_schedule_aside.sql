-- Pauses a schedule that cannot be read, without reading it, so that it does not stand in front of the
-- others; by primary key.
UPDATE schedules SET paused_at = $2, next_at = NULL WHERE schedule_id = $1
