-- New jobs with their runs and their first events, all or none; the unique index on (tenant, identity,
-- incarnation) refuses an identity that somebody else has submitted meanwhile. A new run has counted nothing.
WITH
fresh AS MATERIALIZED (
    SELECT *
    FROM
        unnest(
            $1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[],
            $7::bigint[], $8::bigint[], $9::bytea[], $10::text[], $11::text[], $12::bigint[],
            $13::timestamptz[], $14::text[], $15::timestamptz[], $16::bigint[], $17::bigint[],
            $18::bigint[], $19::bigint[], $20::bigint[], $21::bigint[], $22::bigint[]
        ) AS fresh (
            job_id, tenant, project, kind, queue, identity, incarnation, priority, payload,
            authority, limits, max_attempts, submitted_at, state, ready_at, event_seq,
            limit_cost_nano_usd, limit_calls, limit_input_tokens, limit_output_tokens,
            limit_run_for_us, limit_items
        )
),
new_jobs AS (
    INSERT INTO jobs (
        job_id, tenant, project, kind, queue, identity, incarnation, priority, payload,
        authority, limits, max_attempts, submitted_at
    )
    SELECT
        job_id, tenant, project, kind, queue, identity, incarnation, priority, payload,
        authority::jsonb, limits::jsonb, max_attempts, submitted_at
    FROM fresh
),
new_runs AS (
    INSERT INTO runs (
        job_id, tenant, queue, priority, max_attempts, state, generation, attempt, ready_at,
        lease_losses, losses_without_checkpoint, interruptions, checkpointed, event_seq,
        limit_cost_nano_usd, limit_calls, limit_input_tokens, limit_output_tokens,
        limit_run_for_us, limit_items, spent_cost_nano_usd, spent_calls, spent_input_tokens,
        spent_output_tokens, reserved_cost_nano_usd, reserved_calls, reserved_input_tokens,
        reserved_output_tokens, in_doubt_cost_nano_usd, in_doubt_calls, in_doubt_input_tokens,
        in_doubt_output_tokens, run_for_us, items, open_holds, told_80_percent,
        told_100_percent
    )
    SELECT
        job_id, tenant, queue, priority, max_attempts, state, 0, 0, ready_at,
        0, 0, 0, false, event_seq,
        limit_cost_nano_usd, limit_calls, limit_input_tokens, limit_output_tokens,
        limit_run_for_us, limit_items, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0
    FROM fresh
)
INSERT INTO job_events (job_id, seq, at, generation, name, from_state, to_state, detail)
SELECT job_id, seq, at, generation, name, from_state, to_state, detail::jsonb
FROM
    unnest(
        $23::uuid[], $24::bigint[], $25::timestamptz[], $26::bigint[], $27::text[],
        $28::text[], $29::text[], $30::text[]
    ) AS first_events (job_id, seq, at, generation, name, from_state, to_state, detail)
