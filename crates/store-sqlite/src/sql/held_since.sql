-- When the earliest of the claims was made that somebody holds now, or the time; by `runs_leases`, whose rows are
-- no more than the workers have permits, and from the end of each one's history, where its claim stands.
SELECT min(
    ?1,
    coalesce(
        (
            SELECT min(
                (
                    SELECT job_events.at
                    FROM job_events
                    WHERE job_events.job_id = runs.job_id AND job_events.to_state = 'leased'
                    ORDER BY job_events.seq DESC
                    LIMIT 1
                )
            )
            FROM runs
            WHERE runs.lease_expires_at IS NOT NULL
        ),
        ?1
    )
) AS held_since
