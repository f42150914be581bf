-- One line of a job's history, in the transaction of what it tells; the primary key refuses a second
-- event of the same number.
INSERT INTO job_events (
    job_id, seq, at, generation, name, from_state, to_state, detail
) VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?
)
