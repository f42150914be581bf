-- A page of a tenant's jobs in one read: the newest ids by `jobs_newest`, then each by its primary keys.
WITH page AS MATERIALIZED (
    SELECT jobs.job_id
    FROM jobs
    WHERE jobs.tenant = $1
        AND (jobs.submitted_at, jobs.job_id) < ($2, $3)
        AND ($4::text IS NULL OR jobs.project = $4)
        AND ($5::text IS NULL OR jobs.kind = $5)
        AND (
            $6::text IS NULL
            OR $6 = (SELECT state FROM standings WHERE standings.job_id = jobs.job_id)
        )
    ORDER BY jobs.submitted_at DESC, jobs.job_id DESC
    LIMIT $7
)
SELECT
    jobs.project, jobs.kind, jobs.identity, jobs.payload, jobs.authority, jobs.limits,
    jobs.submitted_at, standings.*
FROM page
JOIN jobs ON jobs.job_id = page.job_id
JOIN standings ON standings.job_id = page.job_id
ORDER BY jobs.submitted_at DESC, jobs.job_id DESC
