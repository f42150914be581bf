-- The ready jobs of a queue in the order in which they are claimed, of each tenant at most as many as it has
-- places left of ?4, under the writer's lock. `runs_ready_of_tenant` is probed once for each tenant with
-- queued jobs, and then for each of them once for each priority, so that no further job of a tenant
-- without a place is passed by.
WITH RECURSIVE waiting (tenant) AS (
    SELECT (
        SELECT tenant
        FROM runs
        WHERE queue = ?1 AND state = 'queued' AND set_aside_at IS NULL AND tenant <> ''
        ORDER BY tenant
        LIMIT 1
    )
    UNION ALL
    SELECT (
        SELECT tenant
        FROM runs
        WHERE queue = ?1
            AND state = 'queued'
            AND set_aside_at IS NULL
            AND tenant <> ''
            AND tenant > waiting.tenant
        ORDER BY tenant
        LIMIT 1
    )
    FROM waiting
    WHERE waiting.tenant IS NOT NULL
),
held AS MATERIALIZED (
    SELECT key AS tenant, value AS jobs FROM json_each(?5)
),
room AS MATERIALIZED (
    SELECT waiting.tenant, ?4 - coalesce(held.jobs, 0) AS places
    FROM waiting
    LEFT JOIN held ON held.tenant = waiting.tenant
    WHERE waiting.tenant IS NOT NULL AND ?4 > coalesce(held.jobs, 0)
),
placed AS (
    SELECT
        runs.job_id,
        room.places,
        row_number() OVER (
            PARTITION BY runs.tenant
            ORDER BY runs.priority DESC, runs.ready_at, runs.job_id
        ) AS place
    FROM room
    CROSS JOIN runs ON runs.job_id IN (
        SELECT due.job_id
        FROM runs AS due
        WHERE due.queue = ?1
            AND due.tenant = room.tenant
            AND due.state = 'queued'
            AND due.set_aside_at IS NULL
            AND due.tenant <> ''
            AND due.priority IN (9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
            AND due.ready_at <= ?2
        ORDER BY due.priority DESC, due.ready_at, due.job_id
        LIMIT min(?3, ?4)
    )
)
SELECT runs.*
FROM placed
CROSS JOIN runs ON runs.job_id = placed.job_id
WHERE placed.place <= placed.places
    AND NOT EXISTS (SELECT 1 FROM paused_queues WHERE paused_queues.queue = ?1)
ORDER BY runs.priority DESC, runs.ready_at, runs.job_id
LIMIT ?3
