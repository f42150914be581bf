-- Takes away outcomes that are written anew, as runs or as outcomes, in the same transaction; by primary
-- key.
DELETE FROM outcomes WHERE job_id = ANY ($1)
