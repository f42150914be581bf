-- When the earliest of the claims was made that somebody holds now, or the time; by `runs_held`, whose rows are
-- no more than the fleet has permits, and from the end of each one's history, where its claim stands.
SELECT least(
    coalesce($1::timestamptz, statement_timestamp()),
    (
        SELECT min(claimed.at)
        FROM runs
        CROSS JOIN LATERAL (
            SELECT job_events.at
            FROM job_events
            WHERE job_events.job_id = runs.job_id AND job_events.to_state = 'leased'
            ORDER BY job_events.seq DESC
            LIMIT 1
        ) AS claimed
        WHERE runs.state IN ('leased', 'running', 'pausing', 'cancelling')
    )
) AS held_since
