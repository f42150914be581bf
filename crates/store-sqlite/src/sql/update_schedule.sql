-- How a schedule stands, in the transaction of the jobs that its ticks made; by primary key. What it ticks
-- by and what it submits never change.
UPDATE schedules
SET paused_at = ?2, next_at = ?3, last_tick_at = ?4, last_job_id = ?5
WHERE schedule_id = ?1
