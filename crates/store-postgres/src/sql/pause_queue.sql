-- Pauses a queue, and answers with a row if it was not paused before; by the primary key. A claim that has
-- begun before may still end behind it.
INSERT INTO paused_queues (queue, paused_at)
VALUES ($1, coalesce($2::timestamptz, clock_timestamp()))
ON CONFLICT (queue) DO NOTHING
RETURNING queue
