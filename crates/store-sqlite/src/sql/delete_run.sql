-- Takes away the run of a job whose outcome is written in the same transaction; by primary key.
DELETE FROM runs WHERE job_id = ?
