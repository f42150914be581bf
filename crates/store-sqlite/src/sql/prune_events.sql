-- The histories of jobs that go; by primary key.
DELETE FROM job_events WHERE job_id IN (SELECT unhex(value) FROM json_each(?1))
