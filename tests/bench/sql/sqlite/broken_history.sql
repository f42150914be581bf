-- How many jobs have succeeded whose history is not the one that each of them must have.
SELECT count(*)
FROM outcomes
WHERE state = 'succeeded'
    AND (
        SELECT group_concat(name, ' ')
        FROM (SELECT name FROM job_events WHERE job_events.job_id = outcomes.job_id ORDER BY seq)
    ) IS NOT ?1
