-- What a worker wants to know once a second, in one read: by `runs_ready`, `runs_due` and `runs_leases`,
-- none of which has a row of a job that stands still, and `schedules_next`.
WITH instant AS MATERIALIZED (
    SELECT max(now_at, ?3) AS now_at FROM clock WHERE only = 1
)
SELECT
    (
        SELECT json_group_array(wanted.value)
        FROM json_each(?1) AS wanted
        WHERE EXISTS (
            SELECT 1
            FROM runs
            WHERE queue = wanted.value
                AND state = 'queued'
                AND set_aside_at IS NULL
                AND priority IN (9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
                AND ready_at <= instant.now_at
        ) AND NOT EXISTS (SELECT 1 FROM paused_queues WHERE paused_queues.queue = wanted.value)
    ) AS ready,
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
        SELECT json_group_array(json_array(lower(hex(job_id)), generation, state))
        FROM runs
        WHERE lease_expires_at IS NOT NULL
            AND lease_owner = ?2
            AND state IN ('pausing', 'cancelling')
    ) AS signals,
    (
        SELECT ready_at
        FROM runs
        WHERE state = 'retry_wait'
            AND set_aside_at IS NULL
            AND +queue IN (SELECT value FROM json_each(?1))
        ORDER BY ready_at
        LIMIT 1
    ) AS next_due_at,
    (
        SELECT min(lease_expires_at)
        FROM runs
        WHERE lease_expires_at IS NOT NULL AND set_aside_at IS NULL
    ) AS next_expiry_at,
    EXISTS (
        SELECT 1 FROM schedules WHERE next_at <= instant.now_at
    ) AS tick_due,
    (
        SELECT next_at FROM schedules WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 1
    ) AS next_tick_at,
    instant.now_at
FROM instant
