-- A job that has ended, from its run, which is taken away next: what the end of a claim does not change is taken
-- over. Primary keys only.
INSERT INTO outcomes (
    job_id, tenant, queue, priority, max_attempts, state, generation, attempt, ready_at,
    lease_losses, losses_without_checkpoint, interruptions, checkpointed, event_seq,
    commit_generation, commit_no, limit_cost_nano_usd, limit_calls, limit_input_tokens,
    limit_output_tokens, limit_run_for_us, limit_items, spent_cost_nano_usd, spent_calls,
    spent_input_tokens, spent_output_tokens, reserved_cost_nano_usd, reserved_calls,
    reserved_input_tokens, reserved_output_tokens, in_doubt_cost_nano_usd, in_doubt_calls,
    in_doubt_input_tokens, in_doubt_output_tokens, run_for_us, items, open_holds,
    told_80_percent, told_100_percent, progress_stage, progress_done, progress_total,
    progress_unit, error_code, error_summary, set_aside_at, manifest, summary, ended_at
)
SELECT
    job_id, tenant, queue, priority, max_attempts, ?, generation, ?, ready_at, lease_losses, ?,
    interruptions, ?, ?, ?, ?, limit_cost_nano_usd, limit_calls, limit_input_tokens,
    limit_output_tokens, limit_run_for_us, limit_items, spent_cost_nano_usd, spent_calls,
    spent_input_tokens, spent_output_tokens, reserved_cost_nano_usd, reserved_calls,
    reserved_input_tokens, reserved_output_tokens, in_doubt_cost_nano_usd, in_doubt_calls,
    in_doubt_input_tokens, in_doubt_output_tokens, ?, items, 0, told_80_percent,
    told_100_percent, ?, ?, ?, ?, ?, ?, set_aside_at, ?, ?, ?
FROM runs
WHERE job_id = ?
