-- How many jobs of each queue stand where, in one read. The queues are those of the argument, each with how
-- many of its jobs may run and how many of each tenant, and those that the indexes name, found by one probe
-- for each index and queue. Every count stops at 10 001, by `runs_ready`, `runs_waiting`, `runs_paused`,
-- `runs_exhausted` and `runs_set_aside`; held jobs are no more than the workers have permits, and are counted by
-- `runs_leases`. A tick that is due is a ready job to come, by `schedules_next`. Of a queue with a limit for each
-- tenant, what may be claimed is counted by one probe of `runs_ready_of_tenant` for each tenant with queued jobs,
-- and one for each priority of those.
WITH RECURSIVE instant AS MATERIALIZED (
    SELECT max(now_at, ?1) AS now_at FROM clock WHERE only = 1
),
wanted AS MATERIALIZED (
    SELECT
        json_extract(value, '$[0]') AS queue,
        json_extract(value, '$[1]') AS running,
        json_extract(value, '$[2]') AS per_tenant
    FROM json_each(?2)
),
leased AS MATERIALIZED (
    SELECT queue, tenant
    FROM runs
    WHERE lease_expires_at IS NOT NULL AND set_aside_at IS NULL
    ORDER BY lease_expires_at
    LIMIT 100000
),
held AS MATERIALIZED (
    SELECT queue, count(*) AS active
    FROM leased
    GROUP BY queue
),
busy AS MATERIALIZED (
    SELECT queue, tenant, count(*) AS jobs
    FROM leased
    GROUP BY queue, tenant
),
tenants (queue, per_tenant, tenant) AS (
    SELECT queue, per_tenant, (
        SELECT tenant
        FROM runs
        WHERE queue = wanted.queue
            AND state = 'queued'
            AND set_aside_at IS NULL
            AND tenant <> ''
        ORDER BY tenant
        LIMIT 1
    )
    FROM wanted
    WHERE per_tenant IS NOT NULL
    UNION ALL
    SELECT queue, per_tenant, (
        SELECT tenant
        FROM runs
        WHERE queue = tenants.queue
            AND state = 'queued'
            AND set_aside_at IS NULL
            AND tenant <> ''
            AND tenant > tenants.tenant
        ORDER BY tenant
        LIMIT 1
    )
    FROM tenants
    WHERE tenant IS NOT NULL
),
due_of AS MATERIALIZED (
    SELECT
        tenants.queue,
        min(
            max(tenants.per_tenant - coalesce(busy.jobs, 0), 0),
            (
                SELECT count(*)
                FROM (
                    SELECT 1
                    FROM runs
                    WHERE queue = tenants.queue
                        AND tenant = tenants.tenant
                        AND state = 'queued'
                        AND set_aside_at IS NULL
                        AND tenant <> ''
                        AND priority IN (9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
                        AND ready_at <= instant.now_at
                    LIMIT 10001
                )
            )
        ) AS jobs
    FROM tenants
    CROSS JOIN instant
    LEFT JOIN busy ON busy.queue = tenants.queue AND busy.tenant = tenants.tenant
    WHERE tenants.tenant IS NOT NULL
),
admitted AS MATERIALIZED (
    SELECT queue, sum(jobs) AS jobs
    FROM due_of
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
    SELECT queue FROM wanted
),
counted AS MATERIALIZED (
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
        coalesce((SELECT held.active FROM held WHERE held.queue = named.queue), 0) AS active,
        (SELECT wanted.running FROM wanted WHERE wanted.queue = named.queue) AS running,
        (SELECT wanted.per_tenant FROM wanted WHERE wanted.queue = named.queue) AS per_tenant,
        coalesce((SELECT admitted.jobs FROM admitted WHERE admitted.queue = named.queue), 0)
            AS admitted,
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
),
opened AS (
    SELECT
        *,
        min(
            iif(per_tenant IS NULL, due, admitted) + over + ticks,
            coalesce(max(running - active, 0), 10001),
            10001
        ) AS claimable
    FROM counted
)
SELECT
    queue,
    iif(paused_at IS NULL, claimable, 0) AS ready,
    min(active, 10001) AS active,
    retry,
    deferred,
    iif(paused_at IS NULL, paused, min(paused + due + over + ticks, 10001)) AS paused,
    iif(paused_at IS NULL, min(blocked + min(due + over + ticks, 10001) - claimable, 10001), blocked)
        AS blocked,
    set_aside,
    iif(
        paused_at IS NULL AND claimable > 0,
        (
            SELECT (opened.now_at - min(since.value)) / 1000
            FROM json_each(json_array(due_since, over_since, ticks_since)) AS since
        ),
        NULL
    ) AS oldest_ready_age_ms,
    paused_at
FROM opened
ORDER BY queue
