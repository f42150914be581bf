-- What was asked for, how it stands, and its history.
--
-- A job is one immutable row in `jobs`, and exactly one in `runs` (while it lives) or in `outcomes`
-- (once it has ended). Instants are microseconds since 1970, ids are 16 bytes, money is nano-dollars.

CREATE TABLE schema_migrations (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum BLOB NOT NULL
) STRICT;

-- The last instant that a write was decided at; a later write is never decided at an earlier one.
CREATE TABLE clock (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    now_at INTEGER NOT NULL
) STRICT;

INSERT INTO clock (only, now_at) VALUES (1, 0);

CREATE TABLE jobs (
    job_id BLOB NOT NULL PRIMARY KEY CHECK (length(job_id) = 16),
    tenant TEXT NOT NULL,
    project TEXT NOT NULL,
    kind TEXT NOT NULL,
    queue TEXT NOT NULL,
    identity BLOB NOT NULL CHECK (length(identity) = 32),
    incarnation INTEGER NOT NULL,
    priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 9),
    payload BLOB NOT NULL,
    authority TEXT,
    limits TEXT NOT NULL,
    max_attempts INTEGER NOT NULL CHECK (max_attempts >= 1),
    submitted_at INTEGER NOT NULL,
    UNIQUE (tenant, identity, incarnation)
) STRICT;

CREATE INDEX jobs_newest ON jobs (tenant, submitted_at DESC, job_id DESC);

CREATE TRIGGER jobs_are_immutable BEFORE UPDATE ON jobs
BEGIN
    SELECT raise(ABORT, 'a job never changes after its submission');
END;

CREATE TABLE runs (
    job_id BLOB NOT NULL PRIMARY KEY REFERENCES jobs (job_id),
    tenant TEXT NOT NULL,
    queue TEXT NOT NULL,
    priority INTEGER NOT NULL,
    max_attempts INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (
        state IN (
            'queued', 'leased', 'running', 'retry_wait', 'pausing', 'paused', 'cancelling'
        )
    ),
    generation INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    ready_at INTEGER NOT NULL,
    lease_losses INTEGER NOT NULL,
    losses_without_checkpoint INTEGER NOT NULL,
    interruptions INTEGER NOT NULL,
    checkpointed INTEGER NOT NULL,
    event_seq INTEGER NOT NULL,
    commit_generation INTEGER,
    commit_no INTEGER,
    limit_cost_nano_usd INTEGER,
    limit_calls INTEGER,
    limit_input_tokens INTEGER,
    limit_output_tokens INTEGER,
    limit_run_for_us INTEGER,
    limit_items INTEGER,
    spent_cost_nano_usd INTEGER NOT NULL,
    spent_calls INTEGER NOT NULL,
    spent_input_tokens INTEGER NOT NULL,
    spent_output_tokens INTEGER NOT NULL,
    reserved_cost_nano_usd INTEGER NOT NULL,
    reserved_calls INTEGER NOT NULL,
    reserved_input_tokens INTEGER NOT NULL,
    reserved_output_tokens INTEGER NOT NULL,
    in_doubt_cost_nano_usd INTEGER NOT NULL,
    in_doubt_calls INTEGER NOT NULL,
    in_doubt_input_tokens INTEGER NOT NULL,
    in_doubt_output_tokens INTEGER NOT NULL,
    run_for_us INTEGER NOT NULL,
    items INTEGER NOT NULL,
    open_holds INTEGER NOT NULL,
    told_80_percent INTEGER NOT NULL,
    told_100_percent INTEGER NOT NULL,
    progress_stage TEXT,
    progress_done INTEGER,
    progress_total INTEGER,
    progress_unit TEXT,
    error_code TEXT,
    error_summary TEXT,
    set_aside_at INTEGER,
    lease_owner BLOB,
    lease_expires_at INTEGER,
    lease_counted_to INTEGER,
    -- A lease stands on a held job and on no other.
    CHECK (
        (state IN ('leased', 'running', 'pausing', 'cancelling'))
        = (lease_owner IS NOT NULL AND lease_expires_at IS NOT NULL AND lease_counted_to IS NOT NULL)
    )
) STRICT, WITHOUT ROWID;

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
    job_id BLOB NOT NULL PRIMARY KEY REFERENCES jobs (job_id),
    tenant TEXT NOT NULL,
    queue TEXT NOT NULL,
    priority INTEGER NOT NULL,
    max_attempts INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('succeeded', 'failed', 'cancelled')),
    generation INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    ready_at INTEGER NOT NULL,
    lease_losses INTEGER NOT NULL,
    losses_without_checkpoint INTEGER NOT NULL,
    interruptions INTEGER NOT NULL,
    checkpointed INTEGER NOT NULL,
    event_seq INTEGER NOT NULL,
    commit_generation INTEGER,
    commit_no INTEGER,
    limit_cost_nano_usd INTEGER,
    limit_calls INTEGER,
    limit_input_tokens INTEGER,
    limit_output_tokens INTEGER,
    limit_run_for_us INTEGER,
    limit_items INTEGER,
    spent_cost_nano_usd INTEGER NOT NULL,
    spent_calls INTEGER NOT NULL,
    spent_input_tokens INTEGER NOT NULL,
    spent_output_tokens INTEGER NOT NULL,
    reserved_cost_nano_usd INTEGER NOT NULL,
    reserved_calls INTEGER NOT NULL,
    reserved_input_tokens INTEGER NOT NULL,
    reserved_output_tokens INTEGER NOT NULL,
    in_doubt_cost_nano_usd INTEGER NOT NULL,
    in_doubt_calls INTEGER NOT NULL,
    in_doubt_input_tokens INTEGER NOT NULL,
    in_doubt_output_tokens INTEGER NOT NULL,
    run_for_us INTEGER NOT NULL,
    items INTEGER NOT NULL,
    open_holds INTEGER NOT NULL,
    told_80_percent INTEGER NOT NULL,
    told_100_percent INTEGER NOT NULL,
    progress_stage TEXT,
    progress_done INTEGER,
    progress_total INTEGER,
    progress_unit TEXT,
    error_code TEXT,
    error_summary TEXT,
    set_aside_at INTEGER,
    manifest TEXT,
    summary BLOB,
    ended_at INTEGER
) STRICT, WITHOUT ROWID;

-- How every job stands, ended or not. The casts give both halves the same affinities, without which
-- SQLite would read all of both tables for one job.
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
    CAST(NULL AS TEXT) AS manifest, CAST(NULL AS BLOB) AS summary, CAST(NULL AS INTEGER) AS ended_at
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
    CAST(NULL AS BLOB) AS lease_owner, CAST(NULL AS INTEGER) AS lease_expires_at,
    CAST(NULL AS INTEGER) AS lease_counted_to,
    manifest, summary, ended_at
FROM outcomes;

-- A job at a glance, for people.
CREATE VIEW job_status AS
SELECT
    lower(hex(standings.job_id)) AS job,
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
    lower(hex(standings.lease_owner)) AS worker,
    datetime(jobs.submitted_at / 1000000, 'unixepoch') AS submitted_at,
    datetime(standings.ready_at / 1000000, 'unixepoch') AS ready_at,
    datetime(standings.lease_expires_at / 1000000, 'unixepoch') AS lease_expires_at,
    datetime(standings.set_aside_at / 1000000, 'unixepoch') AS set_aside_at,
    datetime(standings.ended_at / 1000000, 'unixepoch') AS ended_at
FROM standings
JOIN jobs ON jobs.job_id = standings.job_id;

CREATE TABLE job_events (
    job_id BLOB NOT NULL REFERENCES jobs (job_id),
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    name TEXT NOT NULL,
    from_state TEXT,
    to_state TEXT,
    detail TEXT NOT NULL,
    PRIMARY KEY (job_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER job_events_are_not_rewritten BEFORE UPDATE ON job_events
BEGIN
    SELECT raise(ABORT, 'the history of a job is not rewritten');
END;
