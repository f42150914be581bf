-- A page of jobs that ended too long ago, and what they would take with them; by `outcomes_ended` and the
-- primary keys of their rows.
WITH page AS MATERIALIZED (
    SELECT job_id, ended_at
    FROM outcomes
    WHERE queue = $1
        AND state = $2
        AND ended_at < coalesce($4::timestamptz, statement_timestamp()) - $3 * interval '1 microsecond'
        AND (ended_at, job_id) > ($5, $6)
        AND in_doubt_calls = 0
    ORDER BY ended_at, job_id
    LIMIT $7
)
SELECT
    page.job_id,
    page.ended_at,
    (SELECT count(*) FROM job_events WHERE job_events.job_id = page.job_id) AS events,
    (SELECT count(*) FROM checkpoints WHERE checkpoints.job_id = page.job_id) AS checkpoints
FROM page
ORDER BY page.ended_at, page.job_id
