-- What a checkpoint in the midst of a claim changes about a living job, found by primary key; no column of an
-- index. The writer read the row in the same transaction.
UPDATE runs SET
    losses_without_checkpoint = ?,
    checkpointed = ?,
    event_seq = ?,
    commit_generation = ?,
    commit_no = ?,
    run_for_us = ?,
    progress_stage = ?,
    progress_done = ?,
    progress_total = ?,
    progress_unit = ?,
    lease_counted_to = ?
WHERE job_id = ?
