-- The jobs that the calls are made for: four for each client.
insert into run (id, lease_expires_at, limit_nano_usd, limit_calls)
select job, now() + interval '1 h', 1000000000000000, 1000000000 from generate_series(1, $1) job
