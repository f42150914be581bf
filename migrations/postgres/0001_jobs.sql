-- What was asked for, how it stands, and its history.
--
-- A job is one immutable row in `jobs`, and exactly one in `runs` (while it lives) or in `outcomes`
-- (once it has ended). Money is nano-dollars. Rows name their job without a foreign key: they are written
-- under the lock of the job's run, and a key would lock the row of `jobs` for each of them.

CREATE TABLE schema_migrations (
    version bigint PRIMARY KEY,
    name text NOT NULL,
    checksum bytea NOT NULL
);

-- Refuses to change what is written once; its argument says what.
CREATE FUNCTION refuse_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TABLE jobs (
    job_id uuid PRIMARY KEY,
    tenant text NOT NULL,
    project text NOT NULL,
    kind text NOT NULL,
    queue text NOT NULL,
    identity bytea NOT NULL CHECK (octet_length(identity) = 32),
    incarnation bigint NOT NULL,
    priority bigint NOT NULL CHECK (priority BETWEEN 0 AND 9),
    payload bytea NOT NULL,
    authority jsonb,
    limits jsonb NOT NULL,
    max_attempts bigint NOT NULL CHECK (max_attempts >= 1),
    submitted_at timestamptz NOT NULL,
    UNIQUE (tenant, identity, incarnation)
);

CREATE INDEX jobs_newest ON jobs (tenant, submitted_at DESC, job_id DESC);

CREATE TRIGGER jobs_are_immutable BEFORE UPDATE ON jobs
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a job never changes after its submission');

CREATE TABLE runs (
    job_id uuid PRIMARY KEY,
    tenant text NOT NULL,
    queue text NOT NULL,
    priority bigint NOT NULL,
    max_attempts bigint NOT NULL,
    state text NOT NULL CHECK (
        state IN (
            'queued', 'leased', 'running', 'retry_wait', 'pausing', 'paused', 'cancelling'
        )
    ),
    generation bigint NOT NULL,
    attempt bigint NOT NULL,
    ready_at timestamptz NOT NULL,
    lease_losses bigint NOT NULL,
    losses_without_checkpoint bigint NOT NULL,
    interruptions bigint NOT NULL,
    checkpointed boolean NOT NULL,
    event_seq bigint NOT NULL,
    commit_generation bigint,
    commit_no bigint,
    limit_cost_nano_usd bigint,
    limit_calls bigint,
    limit_input_tokens bigint,
    limit_output_tokens bigint,
    limit_run_for_us bigint,
    limit_items bigint,
    spent_cost_nano_usd bigint NOT NULL,
    spent_calls bigint NOT NULL,
    spent_input_tokens bigint NOT NULL,
    spent_output_tokens bigint NOT NULL,
    reserved_cost_nano_usd bigint NOT NULL,
    reserved_calls bigint NOT NULL,
    reserved_input_tokens bigint NOT NULL,
    reserved_output_tokens bigint NOT NULL,
    in_doubt_cost_nano_usd bigint NOT NULL,
    in_doubt_calls bigint NOT NULL,
    in_doubt_input_tokens bigint NOT NULL,
    in_doubt_output_tokens bigint NOT NULL,
    run_for_us bigint NOT NULL,
    items bigint NOT NULL,
    open_holds bigint NOT NULL,
    told_80_percent bigint NOT NULL,
    told_100_percent bigint NOT NULL,
    progress_stage text,
    progress_done bigint,
    progress_total bigint,
    progress_unit text,
    error_code text,
    error_summary text,
    set_aside_at timestamptz,
    lease_owner uuid,
    lease_expires_at timestamptz,
    lease_counted_to timestamptz,
    -- A lease stands on a held job and on no other.
    CHECK (
        (state IN ('leased', 'running', 'pausing', 'cancelling'))
        = (lease_owner IS NOT NULL AND lease_expires_at IS NOT NULL AND lease_counted_to IS NOT NULL)
    )
) WITH (fillfactor = 70);

-- Ready work in the order in which it is claimed.
CREATE INDEX runs_ready ON runs (queue, priority DESC, ready_at, job_id)
WHERE state = 'queued' AND set_aside_at IS NULL;

-- Waits, the one that is over first in front.
CREATE INDEX runs_due ON runs (ready_at, job_id, queue)
WHERE state = 'retry_wait' AND set_aside_at IS NULL;

-- Leases, the one that expires first in front.
CREATE INDEX runs_leases ON runs (lease_expires_at, job_id)
WHERE state IN ('leased', 'running', 'pausing', 'cancelling') AND set_aside_at IS NULL;

-- What each worker holds, and which of that was asked to stop.
CREATE INDEX runs_held ON runs (lease_owner, state)
WHERE state IN ('leased', 'running', 'pausing', 'cancelling');

CREATE TABLE outcomes (
    job_id uuid PRIMARY KEY,
    tenant text NOT NULL,
    queue text NOT NULL,
    priority bigint NOT NULL,
    max_attempts bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('succeeded', 'failed', 'cancelled')),
    generation bigint NOT NULL,
    attempt bigint NOT NULL,
    ready_at timestamptz NOT NULL,
    lease_losses bigint NOT NULL,
    losses_without_checkpoint bigint NOT NULL,
    interruptions bigint NOT NULL,
    checkpointed boolean NOT NULL,
    event_seq bigint NOT NULL,
    commit_generation bigint,
    commit_no bigint,
    limit_cost_nano_usd bigint,
    limit_calls bigint,
    limit_input_tokens bigint,
    limit_output_tokens bigint,
    limit_run_for_us bigint,
    limit_items bigint,
    spent_cost_nano_usd bigint NOT NULL,
    spent_calls bigint NOT NULL,
    spent_input_tokens bigint NOT NULL,
    spent_output_tokens bigint NOT NULL,
    reserved_cost_nano_usd bigint NOT NULL,
    reserved_calls bigint NOT NULL,
    reserved_input_tokens bigint NOT NULL,
    reserved_output_tokens bigint NOT NULL,
    in_doubt_cost_nano_usd bigint NOT NULL,
    in_doubt_calls bigint NOT NULL,
    in_doubt_input_tokens bigint NOT NULL,
    in_doubt_output_tokens bigint NOT NULL,
    run_for_us bigint NOT NULL,
    items bigint NOT NULL,
    open_holds bigint NOT NULL,
    told_80_percent bigint NOT NULL,
    told_100_percent bigint NOT NULL,
    progress_stage text,
    progress_done bigint,
    progress_total bigint,
    progress_unit text,
    error_code text,
    error_summary text,
    set_aside_at timestamptz,
    manifest jsonb,
    summary bytea,
    ended_at timestamptz
);

-- How every job stands, ended or not.
CREATE VIEW standings AS
SELECT
    job_id, tenant, queue, priority, max_attempts, state, generation, attempt, ready_at,
    lease_losses, losses_without_checkpoint, interruptions, checkpointed, event_seq,
    commit_generation, commit_no,
    limit_cost_nano_usd, limit_calls, limit_input_tokens, limit_output_tokens, limit_run_for_us,
    limit_items,
    spent_cost_nano_usd, spent_calls, spent_input_tokens, spent_output_tokens,
    reserved_cost_nano_usd, reserved_calls, reserved_input_tokens, reserved_output_tokens,
    in_doubt_cost_nano_usd, in_doubt_calls, in_doubt_input_tokens, in_doubt_output_tokens,
    run_for_us, items, open_holds, told_80_percent, told_100_percent,
    progress_stage, progress_done, progress_total, progress_unit,
    error_code, error_summary, set_aside_at,
    lease_owner, lease_expires_at, lease_counted_to,
    NULL::jsonb AS manifest, NULL::bytea AS summary, NULL::timestamptz AS ended_at
FROM runs
UNION ALL
SELECT
    job_id, tenant, queue, priority, max_attempts, state, generation, attempt, ready_at,
    lease_losses, losses_without_checkpoint, interruptions, checkpointed, event_seq,
    commit_generation, commit_no,
    limit_cost_nano_usd, limit_calls, limit_input_tokens, limit_output_tokens, limit_run_for_us,
    limit_items,
    spent_cost_nano_usd, spent_calls, spent_input_tokens, spent_output_tokens,
    reserved_cost_nano_usd, reserved_calls, reserved_input_tokens, reserved_output_tokens,
    in_doubt_cost_nano_usd, in_doubt_calls, in_doubt_input_tokens, in_doubt_output_tokens,
    run_for_us, items, open_holds, told_80_percent, told_100_percent,
    progress_stage, progress_done, progress_total, progress_unit,
    error_code, error_summary, set_aside_at,
    NULL::uuid AS lease_owner, NULL::timestamptz AS lease_expires_at,
    NULL::timestamptz AS lease_counted_to,
    manifest, summary, ended_at
FROM outcomes;

-- A job at a glance, for people.
CREATE VIEW job_status AS
SELECT
    standings.job_id AS job,
    standings.tenant,
    jobs.project,
    jobs.kind,
    standings.queue,
    standings.state,
    standings.priority,
    standings.generation,
    standings.attempt,
    standings.error_code,
    standings.error_summary,
    standings.progress_stage,
    standings.progress_done,
    standings.progress_total,
    standings.spent_cost_nano_usd,
    standings.reserved_cost_nano_usd,
    standings.in_doubt_cost_nano_usd,
    standings.lease_owner AS worker,
    jobs.submitted_at,
    standings.ready_at,
    standings.lease_expires_at,
    standings.set_aside_at,
    standings.ended_at
FROM standings
JOIN jobs ON jobs.job_id = standings.job_id;

CREATE TABLE job_events (
    job_id uuid NOT NULL,
    seq bigint NOT NULL,
    at timestamptz NOT NULL,
    generation bigint NOT NULL,
    name text NOT NULL,
    from_state text,
    to_state text,
    detail jsonb NOT NULL,
    PRIMARY KEY (job_id, seq)
);

CREATE TRIGGER job_events_are_not_rewritten BEFORE UPDATE ON job_events
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the history of a job is not rewritten');
