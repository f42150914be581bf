-- The beginning of a claim, which `claimed.sql` goes on: one job, if it is ready and the limit allows one; by
-- primary key.
WITH
ready AS MATERIALIZED (
    SELECT runs.job_id
    FROM runs
    WHERE runs.job_id = $6
        AND runs.state = 'queued'
        AND runs.set_aside_at IS NULL
        AND runs.ready_at <= coalesce($1::timestamptz, statement_timestamp())
        AND NOT EXISTS (SELECT 1 FROM paused_queues WHERE paused_queues.queue = runs.queue)
    LIMIT $7
    FOR UPDATE SKIP LOCKED
),
