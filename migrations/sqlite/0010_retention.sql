-- Retention: jobs that have ended go after a while, and the ledger stays. Of a job with entries one line is
-- kept, which says whose they are, and what they add up to.

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

CREATE TRIGGER pruned_jobs_are_immutable BEFORE UPDATE ON pruned_jobs
BEGIN
    SELECT raise(ABORT, 'what is left of a pruned job never changes');
END;

-- Which database this is, so that nobody takes the blobs of one for the orphans of another.
CREATE TABLE identity (
    only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
    database_id BLOB NOT NULL CHECK (length(database_id) = 16)
) STRICT;

INSERT INTO identity (only_row, database_id) VALUES (1, randomblob(16));

-- When recurring work of which one worker is enough comes next.
CREATE TABLE turns (
    name TEXT NOT NULL PRIMARY KEY,
    next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Jobs that have ended, the one that ended first in front.
CREATE INDEX outcomes_ended ON outcomes (queue, state, ended_at, job_id);

-- Entries outlive their job, so they name it without a foreign key. SQLite changes that in a new table.
ALTER TABLE ledger RENAME TO ledger_before;

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

INSERT INTO ledger SELECT * FROM ledger_before;

DROP TABLE ledger_before;

CREATE INDEX ledger_of_job ON ledger (job_id);

-- A hold is opened once, and found by its job's claim.
CREATE UNIQUE INDEX ledger_opened ON ledger (hold_id) WHERE kind = 'reserved';

CREATE INDEX ledger_of_claim ON ledger (job_id, generation) WHERE kind = 'reserved';

-- It ends once.
CREATE UNIQUE INDEX ledger_ended ON ledger (hold_id)
WHERE kind NOT IN ('reserved', 'reconciled');

-- What was in doubt is learnt once.
CREATE UNIQUE INDEX ledger_reconciled ON ledger (hold_id) WHERE kind = 'reconciled';

CREATE INDEX ledger_in_doubt ON ledger (job_id) WHERE kind = 'in_doubt';

-- A call is answered once: another usable answer to the same call key is never paid for again.
CREATE UNIQUE INDEX ledger_answered ON ledger (job_id, call, sample, retry) WHERE usable = 1;

-- The amounts of the ledger never change. The stored answers go with their job, and only then.
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
