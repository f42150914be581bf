-- Pauses a queue, and answers with a row if it was not paused before; by the primary key.
INSERT INTO paused_queues (queue, paused_at) VALUES (?1, ?2) ON CONFLICT (queue) DO NOTHING RETURNING queue
