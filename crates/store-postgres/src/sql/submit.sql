-- The newest job of each identity of a list, and the time; by the unique index on (tenant, identity,
-- incarnation). Whoever submits the same identity meanwhile is met by that index.
SELECT
    wanted.tenant,
    wanted.identity,
    newest.job_id,
    newest.incarnation,
    (SELECT state FROM standings WHERE standings.job_id = newest.job_id) AS state,
    coalesce($3::timestamptz, clock_timestamp()) AS now_at
FROM unnest($1::text[], $2::bytea[]) AS wanted (tenant, identity)
LEFT JOIN LATERAL (
    SELECT jobs.job_id, jobs.incarnation
    FROM jobs
    WHERE jobs.tenant = wanted.tenant AND jobs.identity = wanted.identity
    ORDER BY jobs.incarnation DESC
    LIMIT 1
) AS newest ON true
