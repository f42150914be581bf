-- Takes away the stored answers of jobs that are gone, in the transaction that takes the jobs; the amounts
-- stay; by `ledger_of_job`.
UPDATE ledger
SET answer = NULL, answer_digest = NULL, answer_size_bytes = NULL
WHERE job_id IN (SELECT unhex(value) FROM json_each(?1))
    AND (answer IS NOT NULL OR answer_digest IS NOT NULL)
