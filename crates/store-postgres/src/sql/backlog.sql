-- How many jobs of each queue stand where, in one read without a lock. The queues are those of the argument
-- and those that the indexes name, found by one probe for each index and queue. Every count stops at
-- 10 001, by `runs_ready`, `runs_waiting`, `runs_paused`, `runs_exhausted` and `runs_set_aside`; held jobs
-- are no more than the fleet has permits, and are counted by `runs_leases`. A tick that is due is a ready job to
-- come, by `schedules_next`.
WITH RECURSIVE instant AS MATERIALIZED (
    SELECT coalesce($1::timestamptz, statement_timestamp()) AS now_at
),
held AS MATERIALIZED (
    SELECT leased.queue, count(*) AS active
    FROM (
        SELECT runs.queue
        FROM runs
        WHERE runs.state IN ('leased', 'running', 'pausing', 'cancelling')
            AND runs.set_aside_at IS NULL
        ORDER BY runs.lease_expires_at
        LIMIT 100000
    ) AS leased
    GROUP BY leased.queue
),
ticking AS MATERIALIZED (
    SELECT ticked.queue, count(*) AS jobs, min(ticked.next_at) AS oldest_at
    FROM (
        SELECT schedules.queue, schedules.next_at
        FROM schedules
        WHERE schedules.next_at <= (SELECT instant.now_at FROM instant)
        ORDER BY schedules.next_at
        LIMIT 10001
    ) AS ticked
    GROUP BY ticked.queue
),
found (queue) AS (
    SELECT ''::text
    UNION ALL
    SELECT later.queue
    FROM found
    CROSS JOIN LATERAL (
        SELECT least(
            (
                SELECT runs.queue
                FROM runs
                WHERE runs.queue > found.queue
                    AND runs.state = 'queued'
                    AND runs.set_aside_at IS NULL
                ORDER BY runs.queue
                LIMIT 1
            ),
            (
                SELECT runs.queue
                FROM runs
                WHERE runs.queue > found.queue
                    AND runs.state = 'retry_wait'
                    AND runs.set_aside_at IS NULL
                ORDER BY runs.queue
                LIMIT 1
            ),
            (
                SELECT runs.queue
                FROM runs
                WHERE runs.queue > found.queue
                    AND runs.state = 'paused'
                    AND runs.set_aside_at IS NULL
                    AND runs.error_code IS DISTINCT FROM 'budget_exhausted'
                ORDER BY runs.queue
                LIMIT 1
            ),
            (
                SELECT runs.queue
                FROM runs
                WHERE runs.queue > found.queue
                    AND runs.state = 'paused'
                    AND runs.set_aside_at IS NULL
                    AND runs.error_code = 'budget_exhausted'
                ORDER BY runs.queue
                LIMIT 1
            ),
            (
                SELECT runs.queue
                FROM runs
                WHERE runs.queue > found.queue AND runs.set_aside_at IS NOT NULL
                ORDER BY runs.queue
                LIMIT 1
            )
        ) AS queue
    ) AS later
    WHERE later.queue IS NOT NULL
),
named AS MATERIALIZED (
    SELECT found.queue FROM found WHERE found.queue <> ''
    UNION
    SELECT held.queue FROM held
    UNION
    SELECT ticking.queue FROM ticking
    UNION
    SELECT paused_queues.queue FROM paused_queues
    UNION
    SELECT wanted.queue FROM unnest($2::text[]) AS wanted (queue)
),
urgency AS MATERIALIZED (
    SELECT levels.priority
    FROM unnest(ARRAY[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]::bigint[]) AS levels (priority)
)
SELECT
    named.queue,
    CASE
        WHEN stopped.paused_at IS NULL
            THEN least(due.jobs + over.jobs + coalesce(ticking.jobs, 0), 10001)
        ELSE 0
    END AS ready,
    least(coalesce((SELECT held.active FROM held WHERE held.queue = named.queue), 0), 10001)
        AS active,
    waiting.jobs AS retry,
    later.jobs AS deferred,
    CASE
        WHEN stopped.paused_at IS NULL THEN paused.jobs
        ELSE least(paused.jobs + due.jobs + over.jobs + coalesce(ticking.jobs, 0), 10001)
    END AS paused,
    exhausted.jobs AS blocked,
    aside.jobs AS set_aside,
    CASE
        WHEN stopped.paused_at IS NULL
            THEN floor(
                extract(
                    'epoch' FROM instant.now_at
                        - least(longest.oldest_at, over.oldest_at, ticking.oldest_at)
                ) * 1000
            )::bigint
    END AS oldest_ready_age_ms,
    stopped.paused_at
FROM instant
CROSS JOIN named
LEFT JOIN paused_queues AS stopped ON stopped.queue = named.queue
LEFT JOIN ticking ON ticking.queue = named.queue
CROSS JOIN LATERAL (
    SELECT count(*) AS jobs
    FROM (
        SELECT 1
        FROM urgency
        CROSS JOIN LATERAL (
            SELECT 1
            FROM runs
            WHERE runs.queue = named.queue
                AND runs.state = 'queued'
                AND runs.set_aside_at IS NULL
                AND runs.priority = urgency.priority
                AND runs.ready_at <= instant.now_at
            LIMIT 10001
        ) AS level_jobs
        LIMIT 10001
    ) AS counted
) AS due
CROSS JOIN LATERAL (
    SELECT min(level_oldest.ready_at) AS oldest_at
    FROM urgency
    CROSS JOIN LATERAL (
        SELECT runs.ready_at
        FROM runs
        WHERE runs.queue = named.queue
            AND runs.state = 'queued'
            AND runs.set_aside_at IS NULL
            AND runs.priority = urgency.priority
            AND runs.ready_at <= instant.now_at
        ORDER BY runs.ready_at
        LIMIT 1
    ) AS level_oldest
) AS longest
CROSS JOIN LATERAL (
    SELECT count(*) AS jobs, min(counted.ready_at) AS oldest_at
    FROM (
        SELECT runs.ready_at
        FROM runs
        WHERE runs.queue = named.queue
            AND runs.state = 'retry_wait'
            AND runs.set_aside_at IS NULL
            AND runs.ready_at <= instant.now_at
        ORDER BY runs.ready_at
        LIMIT 10001
    ) AS counted
) AS over
CROSS JOIN LATERAL (
    SELECT count(*) AS jobs
    FROM (
        SELECT 1
        FROM runs
        WHERE runs.queue = named.queue
            AND runs.state = 'retry_wait'
            AND runs.set_aside_at IS NULL
            AND runs.ready_at > instant.now_at
        LIMIT 10001
    ) AS counted
) AS waiting
CROSS JOIN LATERAL (
    SELECT count(*) AS jobs
    FROM (
        SELECT 1
        FROM urgency
        CROSS JOIN LATERAL (
            SELECT 1
            FROM runs
            WHERE runs.queue = named.queue
                AND runs.state = 'queued'
                AND runs.set_aside_at IS NULL
                AND runs.priority = urgency.priority
                AND runs.ready_at > instant.now_at
            LIMIT 10001
        ) AS level_jobs
        LIMIT 10001
    ) AS counted
) AS later
CROSS JOIN LATERAL (
    SELECT count(*) AS jobs
    FROM (
        SELECT 1
        FROM runs
        WHERE runs.queue = named.queue
            AND runs.state = 'paused'
            AND runs.set_aside_at IS NULL
            AND runs.error_code IS DISTINCT FROM 'budget_exhausted'
        LIMIT 10001
    ) AS counted
) AS paused
CROSS JOIN LATERAL (
    SELECT count(*) AS jobs
    FROM (
        SELECT 1
        FROM runs
        WHERE runs.queue = named.queue
            AND runs.state = 'paused'
            AND runs.set_aside_at IS NULL
            AND runs.error_code = 'budget_exhausted'
        LIMIT 10001
    ) AS counted
) AS exhausted
CROSS JOIN LATERAL (
    SELECT count(*) AS jobs
    FROM (
        SELECT 1
        FROM runs
        WHERE runs.queue = named.queue AND runs.set_aside_at IS NOT NULL
        LIMIT 10001
    ) AS counted
) AS aside
ORDER BY named.queue
