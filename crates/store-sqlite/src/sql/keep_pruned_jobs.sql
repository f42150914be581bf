-- Keeps a line of jobs that go and that the ledger names; by primary keys and `ledger_of_job`.
INSERT INTO pruned_jobs (
    job_id, tenant, project, kind, queue, state, submitted_at, ended_at, pruned_at,
    spent_cost_nano_usd, spent_calls, spent_input_tokens, spent_output_tokens
)
SELECT
    jobs.job_id, jobs.tenant, jobs.project, jobs.kind, jobs.queue, outcomes.state,
    jobs.submitted_at, outcomes.ended_at, ?2, outcomes.spent_cost_nano_usd, outcomes.spent_calls,
    outcomes.spent_input_tokens, outcomes.spent_output_tokens
FROM json_each(?1) AS old
JOIN jobs ON jobs.job_id = unhex(old.value)
JOIN outcomes ON outcomes.job_id = jobs.job_id
WHERE EXISTS (SELECT 1 FROM ledger WHERE ledger.job_id = jobs.job_id)
