-- How the living jobs of a list stand, each row locked, in the order of ids; by primary key. The time is read
-- once they are locked.
WITH living AS MATERIALIZED (
    SELECT * FROM runs WHERE job_id = ANY ($1) ORDER BY job_id FOR UPDATE
)
SELECT living.*, coalesce($2::timestamptz, clock_timestamp()) AS now_at FROM living
