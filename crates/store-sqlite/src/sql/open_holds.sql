-- The holds that a claim still has open, under the writer's lock; by `ledger_of_claim` and
-- `ledger_ended`.
SELECT opened.*, NULL AS ended_by, 0 AS reconciled
FROM ledger AS opened
WHERE opened.kind = 'reserved'
    AND opened.job_id = ?1
    AND opened.generation = ?2
    AND NOT EXISTS (
        SELECT 1
        FROM ledger AS ended
        WHERE ended.hold_id = opened.hold_id
            AND ended.kind NOT IN ('reserved', 'reconciled')
    )
