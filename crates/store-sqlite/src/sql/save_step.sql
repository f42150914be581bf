-- What a claim, a heartbeat or a checkpoint changes about a living job, found by primary key. The writer read
-- the row in the same transaction.
UPDATE runs SET
    state = ?,
    generation = ?,
    attempt = ?,
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
    lease_owner = ?,
    lease_expires_at = ?,
    lease_counted_to = ?
WHERE job_id = ?
