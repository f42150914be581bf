-- A page of what may name blobs in the ledger; by primary key.
SELECT entry_no, job_id, answer, answer_digest FROM ledger WHERE entry_no > ?1 ORDER BY entry_no LIMIT ?2
