-- How the living jobs of a list stand, and which version of its row each is; by primary key. Nothing is locked:
-- whoever decides on these rows saves them only if they are still these versions.
SELECT
    living.*, living.xmin::text AS row_version,
    coalesce($2::timestamptz, clock_timestamp()) AS now_at
FROM runs AS living
WHERE living.job_id = ANY ($1)
