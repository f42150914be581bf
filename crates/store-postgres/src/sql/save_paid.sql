-- Claims that go on and spend, with their events, results and lines of the ledger, found by primary key. A run
-- that was read without a lock is saved, with all that belongs to it, if its row is still the version that was
-- read, and is answered. The unique indexes of the ledger refuse a hold that opens or ends twice, and a second
-- usable answer to one call.
WITH
saved AS (
    UPDATE runs SET
        state = changed.state,
        generation = changed.generation,
        attempt = changed.attempt,
        losses_without_checkpoint = changed.losses_without_checkpoint,
        checkpointed = changed.checkpointed,
        event_seq = changed.event_seq,
        commit_generation = changed.commit_generation,
        commit_no = changed.commit_no,
        run_for_us = changed.run_for_us,
        progress_stage = changed.progress_stage,
        progress_done = changed.progress_done,
        progress_total = changed.progress_total,
        progress_unit = changed.progress_unit,
        lease_owner = changed.lease_owner,
        lease_expires_at = changed.lease_expires_at,
        lease_counted_to = changed.lease_counted_to,
        spent_cost_nano_usd = changed.spent_cost_nano_usd,
        spent_calls = changed.spent_calls,
        spent_input_tokens = changed.spent_input_tokens,
        spent_output_tokens = changed.spent_output_tokens,
        reserved_cost_nano_usd = changed.reserved_cost_nano_usd,
        reserved_calls = changed.reserved_calls,
        reserved_input_tokens = changed.reserved_input_tokens,
        reserved_output_tokens = changed.reserved_output_tokens,
        items = changed.items,
        open_holds = changed.open_holds
    FROM
        unnest(
            $1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::boolean[],
            $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::text[], $12::bigint[],
            $13::bigint[], $14::text[], $15::uuid[], $16::timestamptz[], $17::timestamptz[],
            $18::bigint[], $19::bigint[], $20::bigint[], $21::bigint[], $22::bigint[],
            $23::bigint[], $24::bigint[], $25::bigint[], $26::bigint[], $27::bigint[],
            $71::text[]
        ) AS changed (
            job_id, state, generation, attempt, losses_without_checkpoint, checkpointed,
            event_seq, commit_generation, commit_no, run_for_us, progress_stage, progress_done,
            progress_total, progress_unit, lease_owner, lease_expires_at, lease_counted_to,
            spent_cost_nano_usd, spent_calls, spent_input_tokens, spent_output_tokens,
            reserved_cost_nano_usd, reserved_calls, reserved_input_tokens,
            reserved_output_tokens, items, open_holds, row_version
        )
    WHERE runs.job_id = changed.job_id
        AND (changed.row_version IS NULL OR runs.xmin = changed.row_version::xid)
        AND (
            $72::timestamptz IS NULL
            OR clock_timestamp() BETWEEN $72 AND $74
        )
    RETURNING runs.job_id, runs.xmin::text AS row_version
),
told AS (
    INSERT INTO job_events (job_id, seq, at, generation, name, from_state, to_state, detail)
    SELECT job_id, seq, at, generation, name, from_state, to_state, detail::jsonb
    FROM
        unnest(
            $28::uuid[], $29::bigint[], $30::timestamptz[], $31::bigint[], $32::text[],
            $33::text[], $34::text[], $35::text[]
        ) AS fresh (job_id, seq, at, generation, name, from_state, to_state, detail)
    WHERE (job_id IN (SELECT job_id FROM saved)) IS TRUE
),
stored AS (
    INSERT INTO checkpoints (
        job_id, stage, version, item, input, generation, at, result, result_digest,
        result_size_bytes
    )
    SELECT
        job_id, stage, version, item, input, generation, at, result, result_digest,
        result_size_bytes
    FROM
        unnest(
            $36::uuid[], $37::text[], $38::bigint[], $39::text[], $40::bytea[], $41::bigint[],
            $42::timestamptz[], $43::bytea[], $44::bytea[], $45::bigint[]
        ) AS fresh (
            job_id, stage, version, item, input, generation, at, result, result_digest,
            result_size_bytes
        )
    WHERE (job_id IN (SELECT job_id FROM saved)) IS TRUE
),
booked AS (
    INSERT INTO ledger (
        job_id, hold_id, kind, generation, at, stage, item, call, sample, retry, provider, model,
        profile, cost_nano_usd, calls, input_tokens, output_tokens, used_input_tokens,
        used_cached_input_tokens, used_output_tokens, estimated, answer, answer_digest,
        answer_size_bytes, usable
    )
    SELECT
        job_id, hold_id, kind, generation, at, stage, item, call, sample, retry, provider, model,
        profile, cost_nano_usd, calls, input_tokens, output_tokens, used_input_tokens,
        used_cached_input_tokens, used_output_tokens, estimated, answer, answer_digest,
        answer_size_bytes, usable
    FROM
        unnest(
            $46::uuid[], $47::uuid[], $48::text[], $49::bigint[], $50::timestamptz[], $51::text[],
            $52::text[], $53::bytea[], $54::bigint[], $55::bigint[], $56::text[], $57::text[],
            $58::text[], $59::bigint[], $60::bigint[], $61::bigint[], $62::bigint[], $63::bigint[],
            $64::bigint[], $65::bigint[], $66::boolean[], $67::bytea[], $68::bytea[], $69::bigint[],
            $70::boolean[]
        ) WITH ORDINALITY AS fresh (
            job_id, hold_id, kind, generation, at, stage, item, call, sample, retry, provider,
            model, profile, cost_nano_usd, calls, input_tokens, output_tokens, used_input_tokens,
            used_cached_input_tokens, used_output_tokens, estimated, answer, answer_digest,
            answer_size_bytes, usable, place
        )
    WHERE (job_id IN (SELECT job_id FROM saved)) IS TRUE
    ORDER BY fresh.place
)
SELECT
    job_id, row_version,
    coalesce($73::timestamptz, clock_timestamp()) AS now_at
FROM saved
