-- Claimed jobs and what they are to do, as far as they are still held; two primary keys.
SELECT
    jobs.project, jobs.kind, jobs.identity, jobs.payload, jobs.authority, jobs.limits,
    jobs.submitted_at, runs.*
FROM runs
JOIN jobs ON jobs.job_id = runs.job_id
WHERE runs.job_id = ANY ($1)
    AND runs.state IN ('leased', 'running', 'pausing', 'cancelling')
