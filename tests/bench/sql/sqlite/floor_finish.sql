-- Ends a job.
UPDATE job SET
    state = 'done', result = 'null', finished_at = ?3, lease_owner = NULL, lease_expires_at = NULL
WHERE id = ?1 AND generation = ?2 AND state = 'leased'
