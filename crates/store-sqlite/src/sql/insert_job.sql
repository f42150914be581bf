-- What a new job is to do, in the transaction of its run and its first event.
INSERT INTO jobs (
    job_id, tenant, project, kind, queue, identity, incarnation, priority, payload,
    authority, limits, max_attempts, submitted_at
) VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
)
