-- How the jobs of a list stand, ended or not, under the writer's lock; by the primary keys of both
-- tables.
SELECT * FROM standings WHERE job_id IN (SELECT unhex(value) FROM json_each(?))
