-- The results of a stage; by the first columns of the primary key.
SELECT * FROM checkpoints WHERE job_id = $1 AND stage = $2
