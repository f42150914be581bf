-- Claimed jobs and what they are to do, as far as they are still held; two primary keys. Each is looked up by
-- itself: a plan that was made for an empty table would else read everything that is held.
SELECT
    jobs.project, jobs.kind, jobs.identity, jobs.payload, jobs.authority, jobs.limits,
    jobs.submitted_at, held.*
FROM unnest($1::uuid[]) AS wanted (job_id)
CROSS JOIN LATERAL (
    SELECT runs.* FROM runs WHERE runs.job_id = wanted.job_id OFFSET 0
) AS held
JOIN jobs ON jobs.job_id = held.job_id
WHERE held.state IN ('leased', 'running', 'pausing', 'cancelling')
