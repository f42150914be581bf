-- The holds that some claims still have open, under the lock of their runs, in the order in which they were
-- opened; by `ledger_of_claim` and `ledger_ended`.
SELECT opened.*, NULL::text AS ended_by, false AS reconciled
FROM unnest($1::uuid[], $2::bigint[]) AS claim (job_id, generation)
CROSS JOIN LATERAL (
    SELECT ledger.*
    FROM ledger
    WHERE ledger.kind = 'reserved'
        AND ledger.job_id = claim.job_id
        AND ledger.generation = claim.generation
    OFFSET 0
) AS opened
WHERE NOT EXISTS (
    SELECT 1
    FROM ledger AS ended
    WHERE ended.hold_id = opened.hold_id
        AND ended.kind IN ('settled', 'released', 'in_doubt')
    OFFSET 0
)
ORDER BY opened.entry_no
