-- The claimed job and what it is to do, if the claim is still the job's; two primary keys.
SELECT
    jobs.project, jobs.kind, jobs.identity, jobs.payload, jobs.authority, jobs.limits,
    jobs.submitted_at, runs.*
FROM runs
JOIN jobs ON jobs.job_id = runs.job_id
WHERE runs.job_id = $1
    AND runs.generation = $2
    AND runs.state IN ('leased', 'running', 'pausing', 'cancelling')
