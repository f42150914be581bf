-- What became of the calls of a stage, oldest first; by `ledger_of_job`.
SELECT *
FROM ledger
WHERE job_id = $1 AND stage = $2
ORDER BY entry_no
