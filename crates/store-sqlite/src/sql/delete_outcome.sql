-- Takes away an outcome that is written anew, as run or as outcome, in the same transaction; by primary key.
DELETE FROM outcomes WHERE job_id = ?
