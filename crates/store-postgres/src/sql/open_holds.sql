-- The holds that some claims still have open, under the lock of their runs, in the order in which they were
-- opened; by `ledger_of_claim` and `ledger_ended`.
SELECT opened.*, NULL::text AS ended_by, false AS reconciled
FROM unnest($1::uuid[], $2::bigint[]) AS claim (job_id, generation)
JOIN ledger AS opened
    ON opened.kind = 'reserved'
        AND opened.job_id = claim.job_id
        AND opened.generation = claim.generation
WHERE NOT EXISTS (
    SELECT 1
    FROM ledger AS ended
    WHERE ended.hold_id = opened.hold_id
        AND ended.kind IN ('settled', 'released', 'in_doubt')
)
ORDER BY opened.entry_no
