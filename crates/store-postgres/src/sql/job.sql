-- A job of a tenant and how it stands, in one read, so that it is never seen between its run and its
-- outcome; by primary keys.
SELECT
    jobs.project, jobs.kind, jobs.identity, jobs.payload, jobs.authority, jobs.limits,
    jobs.submitted_at, standings.*
FROM jobs
JOIN standings ON standings.job_id = jobs.job_id
WHERE jobs.tenant = $1 AND jobs.job_id = $2
