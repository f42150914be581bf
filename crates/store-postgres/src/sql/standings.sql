-- How the jobs of a list stand, ended or not, each row locked, in the order of ids; by the primary keys of
-- both tables. The time is read once the rows of the list are locked.
WITH
living AS MATERIALIZED (
    SELECT * FROM runs WHERE job_id = ANY ($1) ORDER BY job_id FOR UPDATE
),
ended AS MATERIALIZED (
    SELECT * FROM outcomes WHERE job_id = ANY ($1) ORDER BY job_id FOR UPDATE
)
SELECT
    job_id, tenant, queue, priority, max_attempts, state, generation, attempt, ready_at,
    lease_losses, losses_without_checkpoint, interruptions, checkpointed, event_seq,
    commit_generation, commit_no, limit_cost_nano_usd, limit_calls, limit_input_tokens,
    limit_output_tokens, limit_run_for_us, limit_items, spent_cost_nano_usd, spent_calls,
    spent_input_tokens, spent_output_tokens, reserved_cost_nano_usd, reserved_calls,
    reserved_input_tokens, reserved_output_tokens, in_doubt_cost_nano_usd, in_doubt_calls,
    in_doubt_input_tokens, in_doubt_output_tokens, run_for_us, items, open_holds,
    told_80_percent, told_100_percent, progress_stage, progress_done, progress_total,
    progress_unit, error_code, error_summary, set_aside_at,
    lease_owner, lease_expires_at, lease_counted_to, NULL::jsonb AS manifest,
    NULL::bytea AS summary, NULL::timestamptz AS ended_at,
    coalesce($2::timestamptz, clock_timestamp()) AS now_at
FROM living
UNION ALL
SELECT
    job_id, tenant, queue, priority, max_attempts, state, generation, attempt, ready_at,
    lease_losses, losses_without_checkpoint, interruptions, checkpointed, event_seq,
    commit_generation, commit_no, limit_cost_nano_usd, limit_calls, limit_input_tokens,
    limit_output_tokens, limit_run_for_us, limit_items, spent_cost_nano_usd, spent_calls,
    spent_input_tokens, spent_output_tokens, reserved_cost_nano_usd, reserved_calls,
    reserved_input_tokens, reserved_output_tokens, in_doubt_cost_nano_usd, in_doubt_calls,
    in_doubt_input_tokens, in_doubt_output_tokens, run_for_us, items, open_holds,
    told_80_percent, told_100_percent, progress_stage, progress_done, progress_total,
    progress_unit, error_code, error_summary, set_aside_at,
    NULL, NULL, NULL, manifest, summary, ended_at,
    coalesce($2::timestamptz, clock_timestamp())
FROM ended
