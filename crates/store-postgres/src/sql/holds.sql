-- The holds of a list, how each stands, and whether its call has an answer that serves replay, under the
-- lock of their jobs' runs; by `ledger_opened`, `ledger_ended`, `ledger_reconciled` and `ledger_answered`.
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
JOIN ledger AS opened ON opened.hold_id = wanted.hold_id AND opened.kind = 'reserved'
LEFT JOIN ledger AS ended
    ON ended.hold_id = opened.hold_id AND ended.kind IN ('settled', 'released', 'in_doubt')
