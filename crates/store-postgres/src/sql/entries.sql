-- A page of a job's ledger in the order in which it was written; by `ledger_of_job`, once the tenant is
-- seen to own the job.
SELECT ledger.*
FROM ledger
WHERE ledger.job_id = $2
    AND EXISTS (SELECT 1 FROM jobs WHERE jobs.job_id = $2 AND jobs.tenant = $1)
ORDER BY ledger.entry_no
LIMIT $4 OFFSET $3
