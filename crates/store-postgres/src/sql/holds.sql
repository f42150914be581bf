-- The holds of a list, how each stands, and whether its call has an answer that serves replay, under the
-- lock of their jobs' runs; by `ledger_opened`, `ledger_ended`, `ledger_reconciled` and `ledger_answered`. Each is
-- looked up by itself, the first by the order of its index: a plan that was made for an empty ledger would else
-- read all of it.
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
        FROM ledger AS answer
        WHERE answer.job_id = opened.job_id
            AND answer.call = opened.call
            AND answer.sample = opened.sample
            AND answer.retry = opened.retry
            AND answer.usable
        OFFSET 0
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
