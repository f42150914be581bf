-- Claims one job, if it is ready and the limit allows one, with its event, and reads what it is to do; by
-- primary key. The time is read once the row is locked.
WITH
ready AS MATERIALIZED (
    SELECT runs.job_id
    FROM runs
    WHERE runs.job_id = $1
        AND runs.state = 'queued'
        AND runs.set_aside_at IS NULL
        AND runs.ready_at <= coalesce($2::timestamptz, statement_timestamp())
        AND NOT EXISTS (SELECT 1 FROM paused_queues WHERE paused_queues.queue = runs.queue)
    LIMIT $3
    FOR UPDATE SKIP LOCKED
),
begun AS MATERIALIZED (
    SELECT
        array_agg(job_id) AS jobs,
        greatest(coalesce($2::timestamptz, clock_timestamp()), $4::timestamptz) AS now_at
    FROM ready
),
taken AS (
    UPDATE runs SET
        state = 'leased',
        generation = runs.generation + 1,
        attempt = runs.attempt + 1,
        checkpointed = false,
        event_seq = runs.event_seq + 1,
        lease_owner = $5,
        lease_expires_at = begun.now_at + $6::bigint * interval '1 microsecond',
        lease_counted_to = begun.now_at
    FROM begun
    WHERE runs.job_id = ANY (begun.jobs)
    RETURNING runs.*, begun.now_at
),
told AS (
    INSERT INTO job_events (job_id, seq, at, generation, name, from_state, to_state, detail)
    SELECT
        job_id, event_seq, now_at, generation, 'claimed', 'queued', 'leased',
        jsonb_build_object('attempt', attempt::text, 'worker', lease_owner::text)
    FROM taken
)
SELECT
    jobs.project, jobs.kind, jobs.identity, jobs.payload, jobs.authority, jobs.limits,
    jobs.submitted_at, taken.*
FROM taken
LEFT JOIN LATERAL (
    SELECT * FROM jobs WHERE jobs.job_id = taken.job_id OFFSET 0
) AS jobs ON true
