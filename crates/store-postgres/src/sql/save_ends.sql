-- Jobs that end, with their last events: what the end of a claim does not change is taken over from the run that
-- goes away. A run that was read without a lock goes, with all that belongs to it, if its row is still the version
-- that was read, and is answered. Primary keys only.
WITH
gone AS (
    DELETE FROM runs
    USING
        unnest(
            $1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::boolean[], $6::bigint[],
            $7::bigint[], $8::bigint[], $9::bigint[], $10::text[], $11::bigint[], $12::bigint[],
            $13::text[], $14::text[], $15::text[], $16::text[], $17::bytea[],
            $18::timestamptz[], $27::text[]
        ) AS ended (
            job_id, state, attempt, losses_without_checkpoint, checkpointed, event_seq,
            commit_generation, commit_no, run_for_us, progress_stage, progress_done,
            progress_total, progress_unit, error_code, error_summary, manifest, summary,
            ended_at, row_version
        )
    WHERE runs.job_id = ended.job_id
        AND (ended.row_version IS NULL OR runs.xmin = ended.row_version::xid)
        AND (
            $28::timestamptz IS NULL
            OR clock_timestamp() BETWEEN $28 AND $30
        )
    RETURNING
        runs.job_id, runs.tenant, runs.queue, runs.priority, runs.max_attempts, ended.state,
        runs.generation, ended.attempt, runs.ready_at, runs.lease_losses,
        ended.losses_without_checkpoint, runs.interruptions, ended.checkpointed,
        ended.event_seq, ended.commit_generation, ended.commit_no, runs.limit_cost_nano_usd,
        runs.limit_calls, runs.limit_input_tokens, runs.limit_output_tokens,
        runs.limit_run_for_us, runs.limit_items, runs.spent_cost_nano_usd, runs.spent_calls,
        runs.spent_input_tokens, runs.spent_output_tokens, runs.reserved_cost_nano_usd,
        runs.reserved_calls, runs.reserved_input_tokens, runs.reserved_output_tokens,
        runs.in_doubt_cost_nano_usd, runs.in_doubt_calls, runs.in_doubt_input_tokens,
        runs.in_doubt_output_tokens, ended.run_for_us, runs.items, 0 AS open_holds,
        runs.told_80_percent, runs.told_100_percent, ended.progress_stage, ended.progress_done,
        ended.progress_total, ended.progress_unit, ended.error_code, ended.error_summary,
        runs.set_aside_at, ended.manifest::jsonb AS manifest, ended.summary, ended.ended_at
),
told AS (
    INSERT INTO job_events (job_id, seq, at, generation, name, from_state, to_state, detail)
    SELECT job_id, seq, at, generation, name, from_state, to_state, detail::jsonb
    FROM
        unnest(
            $19::uuid[], $20::bigint[], $21::timestamptz[], $22::bigint[], $23::text[],
            $24::text[], $25::text[], $26::text[]
        ) AS fresh (job_id, seq, at, generation, name, from_state, to_state, detail)
    WHERE (job_id IN (SELECT job_id FROM gone)) IS TRUE
),
kept AS (
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
    SELECT * FROM gone
)
SELECT
    job_id, NULL::text AS row_version,
    coalesce($29::timestamptz, clock_timestamp()) AS now_at
FROM gone
