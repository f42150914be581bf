-- Retention: jobs that have ended go after a while, and the ledger stays. Of a job with entries one line is
-- kept, which says whose they are, and what they add up to.

CREATE TABLE pruned_jobs (
    job_id uuid PRIMARY KEY,
    tenant text NOT NULL,
    project text NOT NULL,
    kind text NOT NULL,
    queue text NOT NULL,
    state text NOT NULL CHECK (state IN ('succeeded', 'failed', 'cancelled')),
    submitted_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    pruned_at timestamptz NOT NULL,
    spent_cost_nano_usd bigint NOT NULL,
    spent_calls bigint NOT NULL,
    spent_input_tokens bigint NOT NULL,
    spent_output_tokens bigint NOT NULL
);

CREATE TRIGGER pruned_jobs_are_immutable BEFORE UPDATE ON pruned_jobs
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('what is left of a pruned job never changes');

-- Which database this is, so that nobody takes the blobs of one for the orphans of another.
CREATE TABLE identity (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    database_id uuid NOT NULL
);

INSERT INTO identity (database_id) VALUES (gen_random_uuid());

-- When recurring work of which one worker is enough comes next.
CREATE TABLE turns (
    name text PRIMARY KEY,
    next_at timestamptz NOT NULL
);

-- Jobs that have ended, the one that ended first in front.
CREATE INDEX outcomes_ended ON outcomes (queue, state, ended_at, job_id);

-- The amounts of the ledger never change. The stored answers go with their job, and only then.
CREATE FUNCTION refuse_ledger_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.answer IS NULL AND NEW.answer_digest IS NULL AND NEW.answer_size_bytes IS NULL
        AND to_jsonb(NEW) - 'answer' - 'answer_digest' - 'answer_size_bytes'
            = to_jsonb(OLD) - 'answer' - 'answer_digest' - 'answer_size_bytes'
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.job_id = OLD.job_id)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
END
$$;

DROP TRIGGER ledger_entries_are_not_rewritten ON ledger;

CREATE TRIGGER ledger_entries_are_not_rewritten BEFORE UPDATE ON ledger
FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
