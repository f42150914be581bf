-- How many jobs of each queue stand where, in one read without a lock. The queues are those of the arguments, each
-- with how many of its jobs may run and how many of each tenant, and those that the indexes name, found by one probe
-- for each index and queue. Jobs that have gone leave dead entries at the front of an index until a vacuum, so queues
-- are found from its end, and ready jobs are counted from the first that is there. Every count stops at 10 001, by
-- `runs_ready`, `runs_waiting`, `runs_paused`, `runs_exhausted` and `runs_set_aside`; held jobs are no more than the
-- fleet has permits, and are counted by `runs_leases`. A tick that is due is a ready job to come, by
-- `schedules_next`. Of a queue with a limit for each tenant, what may be claimed is counted by one probe of
-- `runs_ready_of_tenant` for each tenant with queued jobs, and one for each priority of those.
WITH RECURSIVE instant AS MATERIALIZED (
    SELECT coalesce($1::timestamptz, statement_timestamp()) AS now_at
),
wanted AS MATERIALIZED (
    SELECT asked.queue, asked.running, asked.per_tenant
    FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS asked (queue, running, per_tenant)
),
leased AS MATERIALIZED (
    SELECT runs.queue, runs.tenant
    FROM runs
    WHERE runs.state IN ('leased', 'running', 'pausing', 'cancelling')
        AND runs.set_aside_at IS NULL
    ORDER BY runs.lease_expires_at
    LIMIT 100000
),
held AS MATERIALIZED (
    SELECT leased.queue, count(*) AS active
    FROM leased
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
    SELECT greatest(
        (
            SELECT runs.queue
            FROM runs
            WHERE runs.state = 'queued'
                AND runs.set_aside_at IS NULL
            ORDER BY runs.queue DESC
            LIMIT 1
        ),
        (
            SELECT runs.queue
            FROM runs
            WHERE runs.state = 'retry_wait'
                AND runs.set_aside_at IS NULL
            ORDER BY runs.queue DESC
            LIMIT 1
        ),
        (
            SELECT runs.queue
            FROM runs
            WHERE runs.state = 'paused'
                AND runs.set_aside_at IS NULL
                AND runs.error_code IS DISTINCT FROM 'budget_exhausted'
            ORDER BY runs.queue DESC
            LIMIT 1
        ),
        (
            SELECT runs.queue
            FROM runs
            WHERE runs.state = 'paused'
                AND runs.set_aside_at IS NULL
                AND runs.error_code = 'budget_exhausted'
            ORDER BY runs.queue DESC
            LIMIT 1
        ),
        (
            SELECT runs.queue
            FROM runs
            WHERE runs.set_aside_at IS NOT NULL
            ORDER BY runs.queue DESC
            LIMIT 1
        )
    ) AS queue
    UNION ALL
    SELECT before.queue
    FROM found
    CROSS JOIN LATERAL (
        SELECT greatest(
            (
                SELECT runs.queue
                FROM runs
                WHERE runs.queue < found.queue
                    AND runs.state = 'queued'
                    AND runs.set_aside_at IS NULL
                ORDER BY runs.queue DESC
                LIMIT 1
            ),
            (
                SELECT runs.queue
                FROM runs
                WHERE runs.queue < found.queue
                    AND runs.state = 'retry_wait'
                    AND runs.set_aside_at IS NULL
                ORDER BY runs.queue DESC
                LIMIT 1
            ),
            (
                SELECT runs.queue
                FROM runs
                WHERE runs.queue < found.queue
                    AND runs.state = 'paused'
                    AND runs.set_aside_at IS NULL
                    AND runs.error_code IS DISTINCT FROM 'budget_exhausted'
                ORDER BY runs.queue DESC
                LIMIT 1
            ),
            (
                SELECT runs.queue
                FROM runs
                WHERE runs.queue < found.queue
                    AND runs.state = 'paused'
                    AND runs.set_aside_at IS NULL
                    AND runs.error_code = 'budget_exhausted'
                ORDER BY runs.queue DESC
                LIMIT 1
            ),
            (
                SELECT runs.queue
                FROM runs
                WHERE runs.queue < found.queue
                    AND runs.set_aside_at IS NOT NULL
                ORDER BY runs.queue DESC
                LIMIT 1
            )
        ) AS queue
        -- Without this the probes are made twice, here and for the condition below.
        OFFSET 0
    ) AS before
    WHERE before.queue IS NOT NULL
),
named AS MATERIALIZED (
    SELECT found.queue FROM found WHERE found.queue IS NOT NULL
    UNION
    SELECT held.queue FROM held
    UNION
    SELECT ticking.queue FROM ticking
    UNION
    SELECT paused_queues.queue FROM paused_queues
    UNION
    SELECT wanted.queue FROM wanted
),
urgency AS MATERIALIZED (
    SELECT levels.priority
    FROM unnest(ARRAY[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]::bigint[]) AS levels (priority)
),
oldest AS MATERIALIZED (
    SELECT named.queue, urgency.priority, first_of.ready_at
    FROM named
    CROSS JOIN urgency
    CROSS JOIN instant
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
    ) AS first_of
),
tenants (queue, tenant) AS (
    SELECT wanted.queue, first_of.tenant
    FROM wanted
    CROSS JOIN LATERAL (
        SELECT runs.tenant
        FROM runs
        WHERE runs.queue = wanted.queue
            AND runs.state = 'queued'
            AND runs.set_aside_at IS NULL
            AND runs.tenant <> ''
        ORDER BY runs.tenant
        LIMIT 1
    ) AS first_of
    WHERE wanted.per_tenant IS NOT NULL
    UNION ALL
    SELECT tenants.queue, next_of.tenant
    FROM tenants
    CROSS JOIN LATERAL (
        SELECT runs.tenant
        FROM runs
        WHERE runs.queue = tenants.queue
            AND runs.state = 'queued'
            AND runs.set_aside_at IS NULL
            AND runs.tenant <> ''
            AND runs.tenant > tenants.tenant
        ORDER BY runs.tenant
        LIMIT 1
    ) AS next_of
),
admitted AS MATERIALIZED (
    SELECT room.queue, sum(due_of.jobs)::bigint AS jobs
    FROM (
        SELECT
            tenants.queue,
            tenants.tenant,
            least(wanted.per_tenant - coalesce(busy.jobs, 0), 10001) AS places
        FROM tenants
        JOIN wanted ON wanted.queue = tenants.queue
        LEFT JOIN (
            SELECT leased.queue, leased.tenant, count(*) AS jobs
            FROM leased
            GROUP BY leased.queue, leased.tenant
        ) AS busy ON busy.queue = tenants.queue AND busy.tenant = tenants.tenant
    ) AS room
    CROSS JOIN instant
    CROSS JOIN LATERAL (
        SELECT count(*) AS jobs
        FROM (
            SELECT 1
            FROM urgency
            CROSS JOIN LATERAL (
                SELECT 1
                FROM runs
                WHERE runs.queue = room.queue
                    AND runs.tenant = room.tenant
                    AND runs.state = 'queued'
                    AND runs.set_aside_at IS NULL
                    AND runs.tenant <> ''
                    AND runs.priority = urgency.priority
                    AND runs.ready_at <= instant.now_at
                LIMIT room.places
            ) AS level_jobs
            LIMIT room.places
        ) AS counted
    ) AS due_of
    WHERE room.places > 0
    GROUP BY room.queue
)
SELECT
    named.queue,
    CASE WHEN stopped.paused_at IS NULL THEN open.jobs ELSE 0 END AS ready,
    least(coalesce(held.active, 0), 10001) AS active,
    waiting.jobs AS retry,
    later.jobs AS deferred,
    CASE
        WHEN stopped.paused_at IS NULL THEN paused.jobs
        ELSE least(paused.jobs + due.jobs + over.jobs + coalesce(ticking.jobs, 0), 10001)
    END AS paused,
    CASE
        WHEN stopped.paused_at IS NULL
            THEN least(
                exhausted.jobs
                    + least(due.jobs + over.jobs + coalesce(ticking.jobs, 0), 10001)
                    - open.jobs,
                10001
            )
        ELSE exhausted.jobs
    END AS blocked,
    aside.jobs AS set_aside,
    CASE
        WHEN stopped.paused_at IS NULL AND open.jobs > 0
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
LEFT JOIN wanted ON wanted.queue = named.queue
LEFT JOIN held ON held.queue = named.queue
LEFT JOIN admitted ON admitted.queue = named.queue
CROSS JOIN LATERAL (
    SELECT count(*) AS jobs
    FROM (
        SELECT 1
        FROM oldest
        CROSS JOIN LATERAL (
            SELECT 1
            FROM runs
            WHERE runs.queue = oldest.queue
                AND runs.state = 'queued'
                AND runs.set_aside_at IS NULL
                AND runs.priority = oldest.priority
                AND runs.ready_at >= oldest.ready_at
                AND runs.ready_at <= instant.now_at
            LIMIT 10001
        ) AS level_jobs
        WHERE oldest.queue = named.queue
        LIMIT 10001
    ) AS counted
) AS due
CROSS JOIN LATERAL (
    SELECT min(oldest.ready_at) AS oldest_at
    FROM oldest
    WHERE oldest.queue = named.queue
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
CROSS JOIN LATERAL (
    SELECT
        least(
            CASE WHEN wanted.per_tenant IS NULL THEN due.jobs ELSE coalesce(admitted.jobs, 0) END
                + over.jobs
                + coalesce(ticking.jobs, 0),
            CASE
                WHEN wanted.running IS NULL THEN 10001
                ELSE greatest(wanted.running - coalesce(held.active, 0), 0)
            END,
            10001
        ) AS jobs
) AS open
ORDER BY named.queue
