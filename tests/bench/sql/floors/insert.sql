-- Submitting one job.
insert into job (queue, payload) values ('default', '{"n": 1, "to": "someone@example.com"}');
