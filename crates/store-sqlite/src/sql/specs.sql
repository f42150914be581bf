-- What some jobs are to do; by primary key.
SELECT *
FROM jobs
WHERE job_id IN (SELECT unhex(value) FROM json_each(?1))
