-- What the floors of submitting, claiming and checkpointing work on: the row of a queue as a serious engine
-- stores it, with one partial index for the rows that are ready, which is exactly the order of a claim.
create table job (
  id bigint generated always as identity primary key,
  uid uuid not null default gen_random_uuid(),
  queue text not null default 'default',
  state text not null default 'ready',
  priority int not null default 0,
  run_at timestamptz not null default now(),
  lease_owner text,
  lease_expires_at timestamptz,
  generation bigint not null default 0,
  attempt int not null default 0,
  payload jsonb not null default '{}',
  result jsonb,
  finished_at timestamptz,
  created_at timestamptz not null default now()
);
create index job_ready on job (queue, priority desc, run_at, id) where state = 'ready';
create index job_lease on job (lease_expires_at) where state = 'leased';
create table checkpoint (
  job_id bigint not null,
  step int not null,
  generation bigint not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (job_id, step)
);
