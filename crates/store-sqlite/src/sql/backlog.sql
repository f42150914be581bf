-- How many jobs of each queue stand where, in one read. The queues are those of the argument and those
-- that the indexes name, found by one probe for each index and queue. Every count stops at 10 001, by
-- `runs_ready`, `runs_waiting`, `runs_paused`, `runs_exhausted` and `runs_set_aside`; held jobs are no more
-- than the workers have permits, and are counted by `runs_leases`. A tick that is due is a ready job to come, by
-- `schedules_next`.
WITH RECURSIVE instant AS MATERIALIZED (
    SELECT max(now_at, ?1) AS now_at FROM clock WHERE only = 1
),
held AS MATERIALIZED (
    SELECT queue, count(*) AS active
    FROM (
        SELECT queue
        FROM runs
        WHERE lease_expires_at IS NOT NULL AND set_aside_at IS NULL
        ORDER BY lease_expires_at
        LIMIT 100000
    )
    GROUP BY queue
),
ticking AS MATERIALIZED (
    SELECT queue, count(*) AS jobs, min(next_at) AS since
    FROM (
        SELECT queue, next_at
        FROM schedules
        WHERE next_at <= (SELECT now_at FROM instant)
        ORDER BY next_at
        LIMIT 10001
    )
    GROUP BY queue
),
found (queue) AS (
    SELECT ''
    UNION ALL
    SELECT (
        SELECT min(later.queue)
        FROM (
            SELECT (
                SELECT queue
                FROM runs
                WHERE queue > found.queue
                    AND state = 'queued'
                    AND set_aside_at IS NULL
                ORDER BY queue
                LIMIT 1
            ) AS queue
            UNION ALL
            SELECT (
                SELECT queue
                FROM runs
                WHERE queue > found.queue
                    AND state = 'retry_wait'
                    AND set_aside_at IS NULL
                ORDER BY queue
                LIMIT 1
            ) AS queue
            UNION ALL
            SELECT (
                SELECT queue
                FROM runs
                WHERE queue > found.queue
                    AND state = 'paused'
                    AND set_aside_at IS NULL
                    AND error_code IS NOT 'budget_exhausted'
                ORDER BY queue
                LIMIT 1
            ) AS queue
            UNION ALL
            SELECT (
                SELECT queue
                FROM runs
                WHERE queue > found.queue
                    AND state = 'paused'
                    AND set_aside_at IS NULL
                    AND error_code = 'budget_exhausted'
                ORDER BY queue
                LIMIT 1
            ) AS queue
            UNION ALL
            SELECT (
                SELECT queue
                FROM runs
                WHERE queue > found.queue
                    AND set_aside_at IS NOT NULL
                ORDER BY queue
                LIMIT 1
            ) AS queue
        ) AS later
    )
    FROM found
    WHERE found.queue IS NOT NULL
),
named AS MATERIALIZED (
    SELECT queue FROM found WHERE queue <> ''
    UNION
    SELECT queue FROM held
    UNION
    SELECT queue FROM ticking
    UNION
    SELECT queue FROM paused_queues
    UNION
    SELECT value FROM json_each(?2)
),
counted AS (
    SELECT
        named.queue,
        instant.now_at,
        stopped.paused_at,
        (
            SELECT count(*)
            FROM (
                SELECT 1
                FROM runs
                WHERE queue = named.queue
                    AND state = 'queued'
                    AND set_aside_at IS NULL
                    AND priority IN (9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
                    AND ready_at <= instant.now_at
                LIMIT 10001
            )
        ) AS due,
        (
            SELECT min(
                (
                    SELECT ready_at
                    FROM runs
                    WHERE queue = named.queue
                        AND state = 'queued'
                        AND set_aside_at IS NULL
                        AND priority = levels.value
                        AND ready_at <= instant.now_at
                    ORDER BY ready_at
                    LIMIT 1
                )
            )
            FROM json_each('[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]') AS levels
        ) AS due_since,
        (
            SELECT count(*)
            FROM (
                SELECT 1
                FROM runs
                WHERE queue = named.queue
                    AND state = 'retry_wait'
                    AND set_aside_at IS NULL
                    AND ready_at <= instant.now_at
                LIMIT 10001
            )
        ) AS over,
        (
            SELECT ready_at
            FROM runs
            WHERE queue = named.queue
                AND state = 'retry_wait'
                AND set_aside_at IS NULL
                AND ready_at <= instant.now_at
            ORDER BY ready_at
            LIMIT 1
        ) AS over_since,
        coalesce((SELECT ticking.jobs FROM ticking WHERE ticking.queue = named.queue), 0) AS ticks,
        (SELECT ticking.since FROM ticking WHERE ticking.queue = named.queue) AS ticks_since,
        (SELECT held.active FROM held WHERE held.queue = named.queue) AS active,
        (
            SELECT count(*)
            FROM (
                SELECT 1
                FROM runs
                WHERE queue = named.queue
                    AND state = 'retry_wait'
                    AND set_aside_at IS NULL
                    AND ready_at > instant.now_at
                LIMIT 10001
            )
        ) AS retry,
        (
            SELECT count(*)
            FROM (
                SELECT 1
                FROM runs
                WHERE queue = named.queue
                    AND state = 'queued'
                    AND set_aside_at IS NULL
                    AND priority IN (9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
                    AND ready_at > instant.now_at
                LIMIT 10001
            )
        ) AS deferred,
        (
            SELECT count(*)
            FROM (
                SELECT 1
                FROM runs
                WHERE queue = named.queue
                    AND state = 'paused'
                    AND set_aside_at IS NULL
                    AND error_code IS NOT 'budget_exhausted'
                LIMIT 10001
            )
        ) AS paused,
        (
            SELECT count(*)
            FROM (
                SELECT 1
                FROM runs
                WHERE queue = named.queue
                    AND state = 'paused'
                    AND set_aside_at IS NULL
                    AND error_code = 'budget_exhausted'
                LIMIT 10001
            )
        ) AS blocked,
        (
            SELECT count(*)
            FROM (
                SELECT 1
                FROM runs
                WHERE queue = named.queue
                    AND set_aside_at IS NOT NULL
                LIMIT 10001
            )
        ) AS set_aside
    FROM named
    CROSS JOIN instant
    LEFT JOIN paused_queues AS stopped ON stopped.queue = named.queue
)
SELECT
    queue,
    iif(paused_at IS NULL, min(due + over + ticks, 10001), 0) AS ready,
    min(coalesce(active, 0), 10001) AS active,
    retry,
    deferred,
    iif(paused_at IS NULL, paused, min(paused + due + over + ticks, 10001)) AS paused,
    blocked,
    set_aside,
    iif(
        paused_at IS NULL,
        (
            SELECT (counted.now_at - min(since.value)) / 1000
            FROM json_each(json_array(due_since, over_since, ticks_since)) AS since
        ),
        NULL
    ) AS oldest_ready_age_ms,
    paused_at
FROM counted
ORDER BY queue
