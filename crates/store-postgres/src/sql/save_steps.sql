-- Claims that go on, with their events and results: what a heartbeat or a checkpoint changes about a run,
-- found by primary key. A run that was read without a lock is saved, with all that belongs to it, if its row is
-- still the version that was read, and is answered. The primary keys of the other tables refuse a second event of
-- the same number, and a second result of the same key.
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
        lease_counted_to = changed.lease_counted_to
    FROM
        unnest(
            $1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::boolean[],
            $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::text[],
            $12::bigint[], $13::bigint[], $14::text[], $15::uuid[], $16::timestamptz[],
            $17::timestamptz[], $36::text[]
        ) AS changed (
            job_id, state, generation, attempt, losses_without_checkpoint, checkpointed,
            event_seq, commit_generation, commit_no, run_for_us, progress_stage, progress_done,
            progress_total, progress_unit, lease_owner, lease_expires_at, lease_counted_to,
            row_version
        )
    WHERE runs.job_id = changed.job_id
        AND (changed.row_version IS NULL OR runs.xmin = changed.row_version::xid)
        AND (
            $37::timestamptz IS NULL
            OR clock_timestamp() BETWEEN $37 AND $39
        )
    RETURNING runs.job_id, runs.xmin::text AS row_version
),
told AS (
    INSERT INTO job_events (job_id, seq, at, generation, name, from_state, to_state, detail)
    SELECT job_id, seq, at, generation, name, from_state, to_state, detail::jsonb
    FROM
        unnest(
            $18::uuid[], $19::bigint[], $20::timestamptz[], $21::bigint[], $22::text[],
            $23::text[], $24::text[], $25::text[]
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
            $26::uuid[], $27::text[], $28::bigint[], $29::text[], $30::bytea[], $31::bigint[],
            $32::timestamptz[], $33::bytea[], $34::bytea[], $35::bigint[]
        ) AS fresh (
            job_id, stage, version, item, input, generation, at, result, result_digest,
            result_size_bytes
        )
    WHERE (job_id IN (SELECT job_id FROM saved)) IS TRUE
)
SELECT
    job_id, row_version,
    coalesce($38::timestamptz, clock_timestamp()) AS now_at
FROM saved
