-- The beginning of a claim, which `claimed.sql` goes on: the ready jobs of a queue, in the order of their turns, of
-- each tenant at most as many as it has places left of $8. What somebody else has locked is left to them.
-- `runs_ready_of_tenant` is probed once for each tenant with queued jobs, and then for each of them that has a place
-- once for each priority, so that no job of a tenant without one is passed by. The rows themselves are found by
-- their key: the state is asked for in words that no partial index has.
WITH RECURSIVE waiting (tenant) AS (
    (
        SELECT runs.tenant
        FROM runs
        WHERE runs.queue = $6
            AND runs.state = 'queued'
            AND runs.set_aside_at IS NULL
            AND runs.tenant <> ''
        ORDER BY runs.tenant
        LIMIT 1
    )
    UNION ALL
    SELECT later.tenant
    FROM waiting
    CROSS JOIN LATERAL (
        SELECT runs.tenant
        FROM runs
        WHERE runs.queue = $6
            AND runs.state = 'queued'
            AND runs.set_aside_at IS NULL
            AND runs.tenant <> ''
            AND runs.tenant > waiting.tenant
        ORDER BY runs.tenant
        LIMIT 1
    ) AS later
),
admitted AS MATERIALIZED (
    SELECT due.job_id, due.priority, due.ready_at
    FROM (
        SELECT
            waiting.tenant,
            least($7, $8::bigint - coalesce(($9::jsonb ->> waiting.tenant)::bigint, 0)) AS places
        FROM waiting
    ) AS room
    CROSS JOIN LATERAL (
        SELECT level_due.job_id, level_due.priority, level_due.ready_at
        FROM unnest(ARRAY[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]::bigint[]) AS urgency (priority)
        CROSS JOIN LATERAL (
            SELECT runs.job_id, runs.priority, runs.ready_at
            FROM runs
            WHERE runs.queue = $6
                AND runs.tenant = room.tenant
                AND runs.state = 'queued'
                AND runs.set_aside_at IS NULL
                AND runs.tenant <> ''
                AND runs.priority = urgency.priority
                AND runs.ready_at <= coalesce($1::timestamptz, statement_timestamp())
            ORDER BY runs.ready_at, runs.job_id
            LIMIT room.places
        ) AS level_due
        LIMIT room.places
    ) AS due
    WHERE room.places > 0
        AND NOT EXISTS (SELECT 1 FROM paused_queues WHERE paused_queues.queue = $6)
    ORDER BY due.priority DESC, due.ready_at, due.job_id
    LIMIT $7
),
ready AS MATERIALIZED (
    SELECT found.job_id
    FROM admitted
    CROSS JOIN LATERAL (
        SELECT runs.job_id
        FROM runs
        WHERE runs.job_id = admitted.job_id
            AND coalesce(runs.state, '') = 'queued'
            AND runs.set_aside_at IS NULL
        FOR UPDATE SKIP LOCKED
    ) AS found
),
