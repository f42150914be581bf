-- Takes away the runs of jobs whose outcomes are written in the same transaction; by primary key.
DELETE FROM runs WHERE job_id = ANY ($1)
