-- Schedules whose tick is due, under the writer's lock; by `schedules_next`.
SELECT * FROM schedules WHERE next_at <= ?1 ORDER BY next_at LIMIT ?2
