-- A page of jobs that ended too long ago, and what they would take with them; by `outcomes_ended` and the
-- primary keys of their rows.
SELECT
    outcomes.job_id,
    outcomes.ended_at,
    (SELECT count(*) FROM job_events WHERE job_events.job_id = outcomes.job_id) AS events,
    (SELECT count(*) FROM checkpoints WHERE checkpoints.job_id = outcomes.job_id) AS checkpoints
FROM outcomes
WHERE outcomes.queue = ?1
    AND outcomes.state = ?2
    AND outcomes.ended_at < ?3
    AND (outcomes.ended_at, outcomes.job_id) > (?4, ?5)
    AND outcomes.in_doubt_calls = 0
ORDER BY outcomes.ended_at, outcomes.job_id
LIMIT ?6
