-- A tenant's holds in doubt, oldest first; by `ledger_in_doubt` and `ledger_reconciled`. An in-doubt entry
-- says what its hold reserved.
SELECT doubt.*, 'in_doubt' AS ended_by, false AS reconciled
FROM ledger AS doubt
JOIN jobs ON jobs.job_id = doubt.job_id
WHERE doubt.kind = 'in_doubt'
    AND jobs.tenant = $1
    AND ($2::uuid IS NULL OR doubt.job_id = $2)
    AND NOT EXISTS (
        SELECT 1
        FROM ledger AS learnt
        WHERE learnt.hold_id = doubt.hold_id AND learnt.kind = 'reconciled'
        OFFSET 0
    )
ORDER BY doubt.entry_no
LIMIT $3
