-- One job, if it is ready and the limit allows one, its row locked; by primary key.
WITH ready AS MATERIALIZED (
    SELECT runs.*
    FROM runs
    WHERE runs.job_id = $1
        AND runs.state = 'queued'
        AND runs.set_aside_at IS NULL
        AND runs.ready_at <= coalesce($2::timestamptz, statement_timestamp())
        AND NOT EXISTS (SELECT 1 FROM paused_queues WHERE paused_queues.queue = runs.queue)
    LIMIT $3
    FOR UPDATE SKIP LOCKED
)
SELECT ready.*, coalesce($2::timestamptz, clock_timestamp()) AS now_at FROM ready
