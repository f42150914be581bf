-- The schema that the migrations make. Written by `cargo xtask schema --bless`.

CREATE TABLE checkpoints (
    job_id BLOB NOT NULL REFERENCES jobs (job_id),
    stage TEXT NOT NULL,
    version INTEGER NOT NULL,
    item TEXT NOT NULL,
    input BLOB NOT NULL CHECK (length(input) = 32),
    generation INTEGER NOT NULL,
    at INTEGER NOT NULL,
    result BLOB,
    result_digest BLOB CHECK (length(result_digest) = 32),
    result_size_bytes INTEGER,
    PRIMARY KEY (job_id, stage, version, item, input),
    -- A result stands in the row, or in the artifact that the row names.
    CHECK ((result IS NULL) = (result_digest IS NOT NULL AND result_size_bytes IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE clock (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    now_at INTEGER NOT NULL
) STRICT;

CREATE TABLE identity (
    only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
    database_id BLOB NOT NULL CHECK (length(database_id) = 16)
) STRICT;

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

CREATE TABLE ledger (
    entry_no INTEGER PRIMARY KEY,
    job_id BLOB NOT NULL,
    hold_id BLOB NOT NULL CHECK (length(hold_id) = 16),
    kind TEXT NOT NULL CHECK (
        kind = 'reserved' OR kind = 'settled' OR kind = 'released' OR kind = 'in_doubt'
        OR kind = 'reconciled'
    ),
    generation INTEGER NOT NULL,
    at INTEGER NOT NULL,
    stage TEXT NOT NULL,
    item TEXT,
    call BLOB NOT NULL CHECK (length(call) = 32),
    sample INTEGER NOT NULL,
    retry INTEGER NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    profile TEXT,
    cost_nano_usd INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    used_input_tokens INTEGER,
    used_cached_input_tokens INTEGER,
    used_output_tokens INTEGER,
    estimated INTEGER NOT NULL,
    answer BLOB,
    answer_digest BLOB CHECK (length(answer_digest) = 32),
    answer_size_bytes INTEGER,
    usable INTEGER NOT NULL
) STRICT;

CREATE TABLE outcomes (
    job_id BLOB NOT NULL PRIMARY KEY REFERENCES jobs (job_id),
    tenant TEXT NOT NULL,
    queue TEXT NOT NULL,
    priority INTEGER NOT NULL,
    max_attempts INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (
        state = 'succeeded' OR state = 'failed' OR state = 'cancelled'
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
    manifest TEXT,
    summary BLOB,
    ended_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE paused_queues (
    queue TEXT PRIMARY KEY,
    paused_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE price_profiles (
    id TEXT NOT NULL PRIMARY KEY,
    effective_from INTEGER NOT NULL,
    prices TEXT NOT NULL
) STRICT;

CREATE TABLE pruned_jobs (
    job_id BLOB NOT NULL PRIMARY KEY CHECK (length(job_id) = 16),
    tenant TEXT NOT NULL,
    project TEXT NOT NULL,
    kind TEXT NOT NULL,
    queue TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state = 'succeeded' OR state = 'failed' OR state = 'cancelled'),
    submitted_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    pruned_at INTEGER NOT NULL,
    spent_cost_nano_usd INTEGER NOT NULL,
    spent_calls INTEGER NOT NULL,
    spent_input_tokens INTEGER NOT NULL,
    spent_output_tokens INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
    job_id BLOB NOT NULL PRIMARY KEY REFERENCES jobs (job_id),
    tenant TEXT NOT NULL,
    queue TEXT NOT NULL,
    priority INTEGER NOT NULL,
    max_attempts INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (
        state = 'queued' OR state = 'leased' OR state = 'running' OR state = 'retry_wait'
        OR state = 'pausing' OR state = 'paused' OR state = 'cancelling'
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
        (state = 'leased' OR state = 'running' OR state = 'pausing' OR state = 'cancelling')
        = (lease_owner IS NOT NULL AND lease_expires_at IS NOT NULL AND lease_counted_to IS NOT NULL)
    )
) STRICT, WITHOUT ROWID;

CREATE TABLE schedules (
    schedule_id BLOB NOT NULL PRIMARY KEY CHECK (length(schedule_id) = 16),
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    cron TEXT,
    zone TEXT,
    every_us INTEGER CHECK (every_us > 0),
    missed TEXT NOT NULL CHECK (missed = 'skip' OR missed = 'once' OR missed = 'all'),
    project TEXT NOT NULL,
    kind TEXT NOT NULL,
    queue TEXT NOT NULL,
    priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 9),
    payload BLOB NOT NULL,
    authority TEXT,
    limits TEXT NOT NULL,
    max_attempts INTEGER NOT NULL CHECK (max_attempts >= 1),
    added_at INTEGER NOT NULL,
    paused_at INTEGER,
    next_at INTEGER,
    last_tick_at INTEGER,
    last_job_id BLOB,
    UNIQUE (tenant, name),
    -- By the calendar of a zone, or at an interval.
    CHECK ((cron IS NULL) = (zone IS NULL) AND (cron IS NULL) <> (every_us IS NULL)),
    CHECK (paused_at IS NULL OR next_at IS NULL),
    CHECK ((last_tick_at IS NULL) = (last_job_id IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE schema_migrations (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum BLOB NOT NULL
) STRICT;

CREATE TABLE turns (
    name TEXT NOT NULL PRIMARY KEY,
    next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE workers (
    worker_id BLOB PRIMARY KEY,
    kinds TEXT NOT NULL,
    queues TEXT NOT NULL,
    capacity INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_newest ON jobs (tenant, submitted_at, job_id);

CREATE UNIQUE INDEX ledger_answered ON ledger (job_id, call, sample, retry) WHERE usable = 1;

CREATE UNIQUE INDEX ledger_ended ON ledger (hold_id)
WHERE kind NOT IN ('reserved', 'reconciled');

CREATE INDEX ledger_in_doubt ON ledger (job_id) WHERE kind = 'in_doubt';

CREATE INDEX ledger_of_claim ON ledger (job_id, generation) WHERE kind = 'reserved';

CREATE INDEX ledger_of_job ON ledger (job_id);

CREATE UNIQUE INDEX ledger_opened ON ledger (hold_id) WHERE kind = 'reserved';

CREATE UNIQUE INDEX ledger_reconciled ON ledger (hold_id) WHERE kind = 'reconciled';

CREATE INDEX outcomes_ended ON outcomes (queue, state, ended_at, job_id);

CREATE INDEX runs_due ON runs (ready_at, job_id, queue)
WHERE state = 'retry_wait' AND set_aside_at IS NULL;

CREATE INDEX runs_exhausted ON runs (queue)
WHERE state = 'paused' AND set_aside_at IS NULL AND error_code = 'budget_exhausted';

CREATE INDEX runs_leases ON runs (lease_expires_at, job_id, lease_owner, set_aside_at)
WHERE lease_expires_at IS NOT NULL;

CREATE INDEX runs_paused ON runs (queue)
WHERE state = 'paused' AND set_aside_at IS NULL AND error_code IS NOT 'budget_exhausted';

CREATE INDEX runs_ready ON runs (queue, priority DESC, ready_at, job_id)
WHERE state = 'queued' AND set_aside_at IS NULL;

CREATE INDEX runs_ready_of_tenant ON runs (queue, tenant, priority DESC, ready_at, job_id)
WHERE state = 'queued' AND set_aside_at IS NULL AND tenant <> '';

CREATE INDEX runs_set_aside ON runs (queue) WHERE set_aside_at IS NOT NULL;

CREATE INDEX runs_waiting ON runs (queue, ready_at)
WHERE state = 'retry_wait' AND set_aside_at IS NULL;

CREATE INDEX schedules_next ON schedules (next_at) WHERE next_at IS NOT NULL;

CREATE INDEX workers_seen ON workers (seen_at);

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

CREATE TRIGGER checkpoints_are_written_once BEFORE UPDATE ON checkpoints
BEGIN
    SELECT raise(ABORT, 'a checkpoint is written once');
END;

CREATE TRIGGER job_events_are_not_rewritten BEFORE UPDATE ON job_events
BEGIN
    SELECT raise(ABORT, 'the history of a job is not rewritten');
END;

CREATE TRIGGER jobs_are_immutable BEFORE UPDATE ON jobs
BEGIN
    SELECT raise(ABORT, 'a job never changes after its submission');
END;

CREATE TRIGGER ledger_amounts_are_not_rewritten BEFORE UPDATE OF
    entry_no, job_id, hold_id, kind, generation, at, stage, item, call, sample, retry, provider, model,
    profile, cost_nano_usd, calls, input_tokens, output_tokens, used_input_tokens,
    used_cached_input_tokens, used_output_tokens, estimated, usable
ON ledger
BEGIN
    SELECT raise(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_answers_go_with_their_job BEFORE UPDATE ON ledger
WHEN NEW.answer IS NOT NULL
    OR NEW.answer_digest IS NOT NULL
    OR NEW.answer_size_bytes IS NOT NULL
    OR EXISTS (SELECT 1 FROM jobs WHERE jobs.job_id = OLD.job_id)
BEGIN
    SELECT raise(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_entries_are_kept BEFORE DELETE ON ledger
BEGIN
    SELECT raise(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER price_profiles_are_immutable BEFORE UPDATE ON price_profiles
BEGIN
    SELECT raise(ABORT, 'a price profile never changes');
END;

CREATE TRIGGER pruned_jobs_are_immutable BEFORE UPDATE ON pruned_jobs
BEGIN
    SELECT raise(ABORT, 'what is left of a pruned job never changes');
END;
