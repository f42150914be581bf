-- The beginning of a claim, which `claimed.sql` goes on: the ready jobs of a queue, in the order of their turns.
-- What somebody else has locked is left to them. `runs_ready` is read once for each priority, the highest first,
-- from where the claims before have come to, so that it stops at the first job of each that is not ready yet.
WITH
ready AS MATERIALIZED (
    SELECT due.job_id
    FROM
        unnest(ARRAY[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]::bigint[], $8::timestamptz[])
        AS urgency (priority, from_at)
    CROSS JOIN LATERAL (
        SELECT runs.job_id
        FROM runs
        WHERE runs.queue = $6
            AND runs.state = 'queued'
            AND runs.set_aside_at IS NULL
            AND runs.priority = urgency.priority
            AND runs.ready_at >= urgency.from_at
            AND runs.ready_at <= coalesce($1::timestamptz, statement_timestamp())
        ORDER BY runs.ready_at, runs.job_id
        LIMIT $7
        FOR UPDATE SKIP LOCKED
    ) AS due
    WHERE NOT EXISTS (SELECT 1 FROM paused_queues WHERE paused_queues.queue = $6)
    LIMIT $7
),
