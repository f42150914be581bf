-- Jobs that live from now on: new ones, or those whose outcome is taken away in the same transaction.
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
    progress_unit, error_code, error_summary, set_aside_at, lease_owner, lease_expires_at,
    lease_counted_to
FROM
    unnest(
        $1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[],
        $7::bigint[], $8::bigint[], $9::timestamptz[], $10::bigint[], $11::bigint[],
        $12::bigint[], $13::boolean[], $14::bigint[], $15::bigint[], $16::bigint[],
        $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::bigint[],
        $22::bigint[], $23::bigint[], $24::bigint[], $25::bigint[], $26::bigint[],
        $27::bigint[], $28::bigint[], $29::bigint[], $30::bigint[], $31::bigint[],
        $32::bigint[], $33::bigint[], $34::bigint[], $35::bigint[], $36::bigint[],
        $37::bigint[], $38::bigint[], $39::bigint[], $40::text[], $41::bigint[], $42::bigint[],
        $43::text[], $44::text[], $45::text[], $46::timestamptz[], $47::uuid[],
        $48::timestamptz[], $49::timestamptz[]
    ) AS fresh (
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
    )
