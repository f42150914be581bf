UPDATE bare_jobs
SET state = 'running'
WHERE id = (
    SELECT id FROM bare_jobs WHERE state = 'queued' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING id
