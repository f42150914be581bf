-- What the floor of paid calls works on: a running job with its accumulators and its limits, a ledger whose
-- one index finds the entries of a job and refuses a second end of a hold, and checkpoints.
create table run (
  id bigint primary key,
  generation bigint not null default 1,
  state text not null default 'running',
  lease_expires_at timestamptz not null,
  limit_nano_usd bigint not null,
  limit_calls bigint not null,
  spent_nano_usd bigint not null default 0,
  spent_calls bigint not null default 0,
  reserved_nano_usd bigint not null default 0,
  reserved_calls bigint not null default 0
) with (fillfactor = 70);
create table ledger (
  job_id bigint not null,
  hold uuid not null,
  kind text not null,
  generation bigint not null,
  at timestamptz not null default now(),
  stage text not null,
  item text not null,
  call bytea not null,
  cost_nano_usd bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  answer jsonb,
  primary key (job_id, hold, kind)
);
create table checkpoint (
  job_id bigint not null,
  stage text not null,
  item text not null,
  generation bigint not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (job_id, stage, item)
);
