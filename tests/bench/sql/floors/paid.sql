-- A paid call in two transactions, each one statement: reserve, settle with the checkpoint. A client works for
-- four jobs of its own, so that no two wait for the same row.
\set job :client_id * 4 + random(1, 4)
with held as (
  update run set reserved_nano_usd = reserved_nano_usd + 300000, reserved_calls = reserved_calls + 1
  where id = :job and generation = 1 and state = 'running' and lease_expires_at > now()
    and spent_nano_usd + reserved_nano_usd + 300000 <= limit_nano_usd
    and spent_calls + reserved_calls + 1 <= limit_calls
  returning id, generation
)
insert into ledger (job_id, hold, kind, generation, stage, item, call, cost_nano_usd, input_tokens, output_tokens)
select id, gen_random_uuid(), 'reserved', generation, 'ask', 'item', '\x2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae', 300000, 100, 100
from held returning hold \gset
with settled as (
  update run set reserved_nano_usd = reserved_nano_usd - 300000, reserved_calls = reserved_calls - 1,
    spent_nano_usd = spent_nano_usd + 200000, spent_calls = spent_calls + 1
  where id = :job and generation = 1 and state = 'running'
  returning id, generation
),
entry as (
  insert into ledger (job_id, hold, kind, generation, stage, item, call, cost_nano_usd, input_tokens, output_tokens, answer)
  select id, :hold::uuid, 'settled', generation, 'ask', 'item', '\x2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae', 200000, 100, 50,
    '{"question": "What is said?", "answer": "", "quote": ""}'
  from settled
)
insert into checkpoint (job_id, stage, item, generation, data)
select id, 'ask', :hold, generation, '{"ok": true, "v": 12345}' from settled;
