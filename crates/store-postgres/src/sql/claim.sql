-- Claims the ready jobs of a queue, in the order of their turns, with the event of each, and reads what they are
-- to do. What somebody else has locked is left to them. `runs_ready` is read once for each priority, the highest
-- first, from where the claims before have come to, so that it stops at the first job of each that is not ready
-- yet. The time is read once the rows are locked.
WITH
ready AS MATERIALIZED (
    SELECT due.job_id
    FROM
        unnest(ARRAY[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]::bigint[], $4::timestamptz[])
        AS urgency (priority, from_at)
    CROSS JOIN LATERAL (
        SELECT runs.job_id
        FROM runs
        WHERE runs.queue = $1
            AND runs.state = 'queued'
            AND runs.set_aside_at IS NULL
            AND runs.priority = urgency.priority
            AND runs.ready_at >= urgency.from_at
            AND runs.ready_at <= coalesce($2::timestamptz, statement_timestamp())
        ORDER BY runs.ready_at, runs.job_id
        LIMIT $3
        FOR UPDATE SKIP LOCKED
    ) AS due
    WHERE NOT EXISTS (SELECT 1 FROM paused_queues WHERE paused_queues.queue = $1)
    LIMIT $3
),
begun AS MATERIALIZED (
    SELECT
        array_agg(job_id) AS jobs,
        greatest(coalesce($2::timestamptz, clock_timestamp()), $5::timestamptz) AS now_at
    FROM ready
),
taken AS (
    UPDATE runs SET
        state = 'leased',
        generation = runs.generation + 1,
        attempt = runs.attempt + 1,
        checkpointed = false,
        event_seq = runs.event_seq + 1,
        lease_owner = $6,
        lease_expires_at = begun.now_at + $7::bigint * interval '1 microsecond',
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
ORDER BY taken.priority DESC, taken.ready_at, taken.job_id
