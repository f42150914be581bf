-- How jobs that go ended; by primary key.
DELETE FROM outcomes WHERE job_id IN (SELECT unhex(value) FROM json_each(?1))
