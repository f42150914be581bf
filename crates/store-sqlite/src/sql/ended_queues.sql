-- The queues that have jobs that have ended: each by one step in `outcomes_ended`, however many jobs there are.
WITH RECURSIVE queues (queue) AS (
    SELECT * FROM (SELECT queue FROM outcomes ORDER BY queue LIMIT 1)
    UNION ALL
    SELECT (
        SELECT outcomes.queue FROM outcomes WHERE outcomes.queue > queues.queue ORDER BY outcomes.queue LIMIT 1
    )
    FROM queues
    WHERE queues.queue IS NOT NULL
)
SELECT queue FROM queues WHERE queue IS NOT NULL
