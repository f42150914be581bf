-- The holds of a list, how each stands, and whether its call has an answer that serves replay; by `ledger_opened`,
-- `ledger_ended`, `ledger_reconciled` and `ledger_answered`. The rows of their jobs are locked, or read before and
-- compared later. Each is looked up by itself, the first and the last by the order of their index: a plan that was
-- made for an empty ledger would else read all of it.
SELECT
    opened.*,
    ended.kind AS ended_by,
    EXISTS (
        SELECT 1
        FROM ledger AS learnt
        WHERE learnt.hold_id = opened.hold_id AND learnt.kind = 'reconciled'
        OFFSET 0
    ) AS reconciled,
    EXISTS (
        SELECT 1
        FROM (
            SELECT answer.job_id, answer.call, answer.sample, answer.retry
            FROM ledger AS answer
            WHERE answer.usable
                AND (answer.job_id, answer.call, answer.sample, answer.retry)
                >= (opened.job_id, opened.call, opened.sample, opened.retry)
            ORDER BY answer.job_id, answer.call, answer.sample, answer.retry
            LIMIT 1
        ) AS first
        WHERE first.job_id = opened.job_id
            AND first.call = opened.call
            AND first.sample = opened.sample
            AND first.retry = opened.retry
    ) AS answered
FROM unnest($1::uuid[]) AS wanted (hold_id)
CROSS JOIN LATERAL (
    SELECT *
    FROM ledger
    WHERE ledger.hold_id >= wanted.hold_id AND ledger.kind = 'reserved'
    ORDER BY ledger.hold_id
    LIMIT 1
) AS opened
LEFT JOIN LATERAL (
    SELECT ledger.kind
    FROM ledger
    WHERE ledger.hold_id = opened.hold_id AND ledger.kind IN ('settled', 'released', 'in_doubt')
    OFFSET 0
) AS ended ON true
WHERE opened.hold_id = wanted.hold_id
