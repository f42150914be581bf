-- What calls cost: append-only, one entry for each thing that happens to a hold.

CREATE TABLE ledger (
    entry_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_id uuid NOT NULL,
    hold_id uuid NOT NULL,
    kind text NOT NULL CHECK (
        kind IN ('reserved', 'settled', 'released', 'in_doubt', 'reconciled')
    ),
    generation bigint NOT NULL,
    at timestamptz NOT NULL,
    stage text NOT NULL,
    item text,
    call bytea NOT NULL CHECK (octet_length(call) = 32),
    sample bigint NOT NULL,
    retry bigint NOT NULL,
    provider text NOT NULL,
    model text NOT NULL,
    profile text,
    cost_nano_usd bigint NOT NULL,
    calls bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    used_input_tokens bigint,
    used_cached_input_tokens bigint,
    used_output_tokens bigint,
    estimated boolean NOT NULL,
    answer bytea,
    answer_digest bytea CHECK (octet_length(answer_digest) = 32),
    answer_size_bytes bigint,
    usable boolean NOT NULL
);

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
CREATE UNIQUE INDEX ledger_answered ON ledger (job_id, call, sample, retry) WHERE usable;

CREATE TRIGGER ledger_entries_are_not_rewritten BEFORE UPDATE ON ledger
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the ledger is append-only');

CREATE TRIGGER ledger_entries_are_kept BEFORE DELETE ON ledger
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the ledger is append-only');

-- The price tables that entries name, for the record.
CREATE TABLE price_profiles (
    id text PRIMARY KEY,
    effective_from timestamptz NOT NULL,
    prices jsonb NOT NULL
);

CREATE TRIGGER price_profiles_are_immutable BEFORE UPDATE ON price_profiles
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a price profile never changes');
