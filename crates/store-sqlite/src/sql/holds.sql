-- The holds of a list, how each stands, and whether its call has an answer that serves replay, under the
-- writer's lock; by `ledger_opened`, `ledger_ended`, `ledger_reconciled` and `ledger_answered`.
SELECT
    opened.*,
    ended.kind AS ended_by,
    EXISTS (
        SELECT 1
        FROM ledger AS learnt
        WHERE learnt.hold_id = opened.hold_id AND learnt.kind = 'reconciled'
    ) AS reconciled,
    EXISTS (
        SELECT 1
        FROM ledger AS answer
        WHERE answer.job_id = opened.job_id
            AND answer.call = opened.call
            AND answer.sample = opened.sample
            AND answer.retry = opened.retry
            AND answer.usable = 1
    ) AS answered
FROM ledger AS opened
LEFT JOIN ledger AS ended
    ON ended.hold_id = opened.hold_id AND ended.kind NOT IN ('reserved', 'reconciled')
WHERE opened.kind = 'reserved' AND opened.hold_id IN (SELECT unhex(value) FROM json_each(?))
