-- What a worker wants to know once a second, in one read without a lock: by `runs_ready`, `runs_due`,
-- `runs_leases` and `runs_held`, none of which has a row of a job that stands still, and `schedules_next`.
WITH instant AS MATERIALIZED (
    SELECT coalesce($3::timestamptz, statement_timestamp()) AS now_at
)
SELECT
    to_json(ARRAY(
        SELECT wanted.queue
        FROM unnest($1::text[]) WITH ORDINALITY AS wanted (queue, place)
        CROSS JOIN LATERAL (
            SELECT 1
            FROM unnest(ARRAY[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]::bigint[]) AS urgency (priority)
            CROSS JOIN LATERAL (
                SELECT 1
                FROM runs
                WHERE runs.queue = wanted.queue
                    AND runs.state = 'queued'
                    AND runs.set_aside_at IS NULL
                    AND runs.priority = urgency.priority
                    AND runs.ready_at <= instant.now_at
                LIMIT 1
            ) AS due
            LIMIT 1
        ) AS any_due
        WHERE NOT EXISTS (SELECT 1 FROM paused_queues WHERE paused_queues.queue = wanted.queue)
        ORDER BY wanted.place
    )) AS ready,
    EXISTS (
        SELECT 1
        FROM runs
        WHERE state = 'retry_wait' AND set_aside_at IS NULL AND ready_at <= instant.now_at
    ) AS due,
    EXISTS (
        SELECT 1
        FROM runs
        WHERE state IN ('leased', 'running', 'pausing', 'cancelling')
            AND set_aside_at IS NULL
            AND lease_expires_at < instant.now_at
    ) AS expired,
    (
        SELECT coalesce(json_agg(json_build_array(job_id, generation, state)), '[]')
        FROM runs
        WHERE lease_owner = $2
            AND state IN ('leased', 'running', 'pausing', 'cancelling')
            AND state IN ('pausing', 'cancelling')
    ) AS signals,
    (
        SELECT ready_at
        FROM runs
        WHERE state = 'retry_wait' AND set_aside_at IS NULL AND queue = ANY ($1)
        ORDER BY ready_at
        LIMIT 1
    ) AS next_due_at,
    (
        SELECT min(lease_expires_at)
        FROM runs
        WHERE state IN ('leased', 'running', 'pausing', 'cancelling') AND set_aside_at IS NULL
    ) AS next_expiry_at,
    EXISTS (
        SELECT 1 FROM schedules WHERE next_at <= instant.now_at
    ) AS tick_due,
    (
        SELECT next_at FROM schedules WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 1
    ) AS next_tick_at,
    instant.now_at
FROM instant
