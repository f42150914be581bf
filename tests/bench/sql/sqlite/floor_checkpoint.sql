-- Stores the result of a stage.
INSERT INTO checkpoint (job_id, step, generation, data)
SELECT id, ?3, generation, '{"ok": true, "v": 12345}' FROM job
WHERE id = ?1 AND generation = ?2 AND state = 'leased'
