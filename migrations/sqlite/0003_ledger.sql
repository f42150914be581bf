-- What calls cost: append-only, one entry for each thing that happens to a hold.

CREATE TABLE ledger (
    entry_no INTEGER PRIMARY KEY,
    job_id BLOB NOT NULL REFERENCES jobs (job_id),
    hold_id BLOB NOT NULL CHECK (length(hold_id) = 16),
    kind TEXT NOT NULL CHECK (
        kind IN ('reserved', 'settled', 'released', 'in_doubt', 'reconciled')
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

CREATE INDEX ledger_of_job ON ledger (job_id);

-- A hold is opened once, and found by its job's claim.
CREATE UNIQUE INDEX ledger_opened ON ledger (hold_id) WHERE kind = 'reserved';

CREATE INDEX ledger_of_claim ON ledger (job_id, generation) WHERE kind = 'reserved';

-- It ends once.
CREATE UNIQUE INDEX ledger_ended ON ledger (hold_id)
WHERE kind IN ('settled', 'released', 'in_doubt');

-- What was in doubt is learnt once.
CREATE UNIQUE INDEX ledger_reconciled ON ledger (hold_id) WHERE kind = 'reconciled';

CREATE INDEX ledger_in_doubt ON ledger (job_id) WHERE kind = 'in_doubt';

-- A call is answered once: another usable answer to the same call key is never paid for again.
CREATE UNIQUE INDEX ledger_answered ON ledger (job_id, call, sample, retry) WHERE usable = 1;

CREATE TRIGGER ledger_entries_are_not_rewritten BEFORE UPDATE ON ledger
BEGIN
    SELECT raise(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_entries_are_kept BEFORE DELETE ON ledger
BEGIN
    SELECT raise(ABORT, 'the ledger is append-only');
END;

-- The price tables that entries name, for the record.
CREATE TABLE price_profiles (
    id TEXT NOT NULL PRIMARY KEY,
    effective_from INTEGER NOT NULL,
    prices TEXT NOT NULL
) STRICT;

CREATE TRIGGER price_profiles_are_immutable BEFORE UPDATE ON price_profiles
BEGIN
    SELECT raise(ABORT, 'a price profile never changes');
END;
