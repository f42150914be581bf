-- A page of what may name blobs in checkpoints; by primary key.
SELECT job_id, stage, version, item, input, result, result_digest
FROM checkpoints
WHERE (job_id, stage, version, item, input) > ($1, $2, $3, $4, $5)
ORDER BY job_id, stage, version, item, input
LIMIT $6
