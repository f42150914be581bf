-- The newest job of each identity of a list, under the writer's lock, so that one identity never becomes
-- two jobs; by the unique index on (tenant, identity, incarnation).
SELECT
    jobs.job_id,
    jobs.tenant,
    jobs.identity,
    jobs.incarnation,
    (SELECT state FROM standings WHERE standings.job_id = jobs.job_id) AS state
FROM json_each(?1) AS wanted
JOIN jobs
    ON jobs.tenant = wanted.value ->> 0
        AND jobs.identity = unhex(wanted.value ->> 1)
        AND jobs.incarnation = (
            SELECT max(newest.incarnation)
            FROM jobs AS newest
            WHERE newest.tenant = jobs.tenant AND newest.identity = jobs.identity
        )
