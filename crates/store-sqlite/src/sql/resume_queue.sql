-- Lets a queue go on, and answers with a row if it was paused; by the primary key.
DELETE FROM paused_queues WHERE queue = ?1 RETURNING queue
