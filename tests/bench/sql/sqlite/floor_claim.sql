-- Claims the next job.
UPDATE job SET
    state = 'leased', lease_owner = 'w1', lease_expires_at = ?1, generation = generation + 1,
    attempt = attempt + 1
WHERE id = (
    SELECT id FROM job
    WHERE queue = 'default' AND state = 'ready' AND run_at <= ?1
    ORDER BY priority DESC, run_at, id
    LIMIT 1
)
RETURNING id, generation, payload
