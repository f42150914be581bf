-- New jobs with their runs and their first events, all or none; the unique index on (tenant, identity,
-- incarnation) refuses an identity that somebody else has submitted meanwhile.
WITH
new_jobs AS (
    INSERT INTO jobs (
        job_id, tenant, project, kind, queue, identity, incarnation, priority, payload,
        authority, limits, max_attempts, submitted_at
    )
    SELECT
        job_id, tenant, project, kind, queue, identity, incarnation, priority, payload,
        authority::jsonb, limits::jsonb, max_attempts, submitted_at
    FROM
        unnest(
            $1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[],
            $7::bigint[], $8::bigint[], $9::bytea[], $10::text[], $11::text[], $12::bigint[],
            $13::timestamptz[]
        ) AS fresh (
            job_id, tenant, project, kind, queue, identity, incarnation, priority, payload,
            authority, limits, max_attempts, submitted_at
        )
),
new_runs AS (
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
            $14::uuid[], $15::text[], $16::text[], $17::bigint[], $18::bigint[], $19::text[],
            $20::bigint[], $21::bigint[], $22::timestamptz[], $23::bigint[], $24::bigint[],
            $25::bigint[], $26::boolean[], $27::bigint[], $28::bigint[], $29::bigint[],
            $30::bigint[], $31::bigint[], $32::bigint[], $33::bigint[], $34::bigint[],
            $35::bigint[], $36::bigint[], $37::bigint[], $38::bigint[], $39::bigint[],
            $40::bigint[], $41::bigint[], $42::bigint[], $43::bigint[], $44::bigint[],
            $45::bigint[], $46::bigint[], $47::bigint[], $48::bigint[], $49::bigint[],
            $50::bigint[], $51::bigint[], $52::bigint[], $53::text[], $54::bigint[],
            $55::bigint[], $56::text[], $57::text[], $58::text[], $59::timestamptz[],
            $60::uuid[], $61::timestamptz[], $62::timestamptz[]
        ) AS fresh (
            job_id, tenant, queue, priority, max_attempts, state, generation, attempt, ready_at,
            lease_losses, losses_without_checkpoint, interruptions, checkpointed, event_seq,
            commit_generation, commit_no, limit_cost_nano_usd, limit_calls, limit_input_tokens,
            limit_output_tokens, limit_run_for_us, limit_items, spent_cost_nano_usd,
            spent_calls, spent_input_tokens, spent_output_tokens, reserved_cost_nano_usd,
            reserved_calls, reserved_input_tokens, reserved_output_tokens,
            in_doubt_cost_nano_usd, in_doubt_calls, in_doubt_input_tokens,
            in_doubt_output_tokens, run_for_us, items, open_holds, told_80_percent,
            told_100_percent, progress_stage, progress_done, progress_total, progress_unit,
            error_code, error_summary, set_aside_at, lease_owner, lease_expires_at,
            lease_counted_to
        )
)
INSERT INTO job_events (
    job_id, seq, at, generation, name, from_state, to_state, detail
)
SELECT
    job_id, seq, at, generation, name, from_state, to_state, detail::jsonb
FROM
    unnest(
        $63::uuid[], $64::bigint[], $65::timestamptz[], $66::bigint[], $67::text[],
        $68::text[], $69::text[], $70::text[]
    ) AS fresh (
        job_id, seq, at, generation, name, from_state, to_state, detail
    )
