-- Takes jobs away with their histories and results, whose outcomes the transaction has locked, and keeps a
-- line of those that the ledger names; by primary keys and `ledger_of_job`.
WITH
old AS MATERIALIZED (
    SELECT unnest($1::uuid[]) AS job_id
),
kept AS (
    INSERT INTO pruned_jobs (
        job_id, tenant, project, kind, queue, state, submitted_at, ended_at, pruned_at,
        spent_cost_nano_usd, spent_calls, spent_input_tokens, spent_output_tokens
    )
    SELECT
        jobs.job_id, jobs.tenant, jobs.project, jobs.kind, jobs.queue, outcomes.state,
        jobs.submitted_at, outcomes.ended_at, $2, outcomes.spent_cost_nano_usd,
        outcomes.spent_calls, outcomes.spent_input_tokens, outcomes.spent_output_tokens
    FROM old
    JOIN jobs ON jobs.job_id = old.job_id
    JOIN outcomes ON outcomes.job_id = old.job_id
    WHERE EXISTS (SELECT 1 FROM ledger WHERE ledger.job_id = old.job_id)
),
events AS (
    DELETE FROM job_events WHERE job_id = ANY ($1) RETURNING 1
),
results AS (
    DELETE FROM checkpoints WHERE job_id = ANY ($1) RETURNING 1
),
ended AS (
    DELETE FROM outcomes WHERE job_id = ANY ($1) RETURNING 1
),
asked AS (
    DELETE FROM jobs WHERE job_id = ANY ($1) RETURNING 1
)
SELECT
    (SELECT count(*) FROM asked) AS jobs,
    (SELECT count(*) FROM events) AS events,
    (SELECT count(*) FROM results) AS checkpoints
