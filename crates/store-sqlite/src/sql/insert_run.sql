-- A job that lives from now on: a new one, or one whose outcome is taken away in the same transaction.
-- Maintains the partial indexes of `runs`.
INSERT INTO runs (
    job_id, tenant, queue, priority, max_attempts, state, generation, attempt, ready_at,
    lease_losses, losses_without_checkpoint, interruptions, checkpointed, event_seq,
    commit_generation, commit_no, limit_cost_nano_usd, limit_calls, limit_input_tokens,
    limit_output_tokens, limit_run_for_us, limit_items, spent_cost_nano_usd, spent_calls,
    spent_input_tokens, spent_output_tokens, reserved_cost_nano_usd, reserved_calls,
    reserved_input_tokens, reserved_output_tokens, in_doubt_cost_nano_usd, in_doubt_calls,
    in_doubt_input_tokens, in_doubt_output_tokens, run_for_us, items, open_holds,
    told_80_percent, told_100_percent, progress_stage, progress_done, progress_total,
    progress_unit, error_code, error_summary, set_aside_at, lease_owner, lease_expires_at,
    lease_counted_to
) VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
)
