-- New jobs with their runs and their first events, all or none, at the instant of the statement; the unique index
-- on (tenant, identity, incarnation) refuses an identity that is there already. The rows of `jobs` are written in the
-- order of the identities, so that two who submit the same ones wait for one another in turn, and last, because
-- Postgres writes the last ones first, and what is refused has then written nothing else. The others are written in
-- the order of the ids, which is that of their indexes. A new run has counted nothing. What follows one another and
-- is alike is told once: identities stand one behind the other, and so do payloads.
WITH
instant AS MATERIALIZED (
    SELECT greatest($1::timestamptz, coalesce($2::timestamptz, clock_timestamp())) AS now_at
),
alike AS MATERIALIZED (
    SELECT *
    FROM
        unnest(
            $7::int[], $8::int[], $9::bytea[], $10::bytea[], $11::text[], $12::text[],
            $13::text[], $14::text[], $15::bigint[], $16::bigint[], $17::jsonb[], $18::jsonb[],
            $19::text[], $20::bigint[], $21::bigint[], $22::bigint[], $23::bigint[],
            $24::bigint[], $25::bigint[], $26::bigint[], $27::bigint[], $28::text[],
            $29::text[], $30::text[], $31::jsonb[]
        ) AS alike (
            first_place, last_place, identities, payloads, tenant, project, kind, queue,
            priority, max_attempts, authority, limits, state, limit_cost_nano_usd, limit_calls,
            limit_input_tokens, limit_output_tokens, limit_run_for_us, limit_items, event_seq,
            generation, name, from_state, to_state, detail
        )
),
fresh AS MATERIALIZED (
    SELECT
        one.job_id,
        one.incarnation,
        substr(alike.identities, one.place::int * 32 - 31, 32) AS identity,
        substr(alike.payloads, one.payload_from, one.payload_bytes) AS payload,
        alike.tenant, alike.project, alike.kind, alike.queue, alike.priority,
        alike.max_attempts, alike.authority, alike.limits, alike.state,
        alike.limit_cost_nano_usd, alike.limit_calls, alike.limit_input_tokens,
        alike.limit_output_tokens, alike.limit_run_for_us, alike.limit_items, alike.event_seq,
        alike.generation, alike.name, alike.from_state, alike.to_state, alike.detail
    FROM alike
    CROSS JOIN LATERAL
        unnest(
            ($3::uuid[])[alike.first_place:alike.last_place],
            ($4::bigint[])[alike.first_place:alike.last_place],
            ($5::int[])[alike.first_place:alike.last_place],
            ($6::int[])[alike.first_place:alike.last_place]
        ) WITH ORDINALITY AS one (job_id, incarnation, payload_from, payload_bytes, place)
    ORDER BY one.job_id
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
        job_id, tenant, queue, priority, max_attempts, state, 0, 0, instant.now_at,
        0, 0, 0, false, event_seq,
        limit_cost_nano_usd, limit_calls, limit_input_tokens, limit_output_tokens,
        limit_run_for_us, limit_items, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0, 0,
        0
    FROM instant
    CROSS JOIN fresh
),
first_events AS (
    INSERT INTO job_events (job_id, seq, at, generation, name, from_state, to_state, detail)
    SELECT job_id, event_seq, instant.now_at, generation, name, from_state, to_state, detail
    FROM instant
    CROSS JOIN fresh
),
new_jobs AS (
    INSERT INTO jobs (
        job_id, tenant, project, kind, queue, identity, incarnation, priority, payload,
        authority, limits, max_attempts, submitted_at
    )
    SELECT
        job_id, tenant, project, kind, queue, identity, incarnation, priority, payload,
        authority, limits, max_attempts, instant.now_at
    FROM instant
    CROSS JOIN fresh
    ORDER BY identity, tenant, incarnation
)
SELECT now_at FROM instant
