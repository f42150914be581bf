-- The results of jobs that go; by primary key.
DELETE FROM checkpoints WHERE job_id IN (SELECT unhex(value) FROM json_each(?1))
