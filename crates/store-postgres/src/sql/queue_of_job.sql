-- Where a living job waits, and whose it is; by primary key.
SELECT queue, tenant FROM runs WHERE job_id = $1
