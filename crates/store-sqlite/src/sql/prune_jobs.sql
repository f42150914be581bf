-- What jobs that go were asked to do, once nothing names them any more; by primary key.
DELETE FROM jobs WHERE job_id IN (SELECT unhex(value) FROM json_each(?1))
