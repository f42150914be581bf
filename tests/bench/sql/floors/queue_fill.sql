-- As many ready rows as the floor may need.
insert into job (queue, payload)
select 'default', '{"n": 1, "to": "someone@example.com"}' from generate_series(1, $1)
