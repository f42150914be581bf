-- A page of a job's history, oldest first; by primary key, once the tenant is seen to own the job.
SELECT job_events.*
FROM job_events
WHERE job_events.job_id = $2
    AND job_events.seq > $3
    AND EXISTS (SELECT 1 FROM jobs WHERE jobs.job_id = $2 AND jobs.tenant = $1)
ORDER BY job_events.seq
LIMIT $4
