-- Takes a row that cannot be read out of every index of work, without reading it; by primary key. The
-- event follows in the same transaction.
UPDATE runs
SET set_aside_at = $2, event_seq = event_seq + 1
WHERE job_id = $1
RETURNING event_seq, generation
