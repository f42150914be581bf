-- What a start changes about a living job, found by primary key; of the columns of an index the state alone. The
-- writer read the row in the same transaction.
UPDATE runs SET
    state = ?,
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
