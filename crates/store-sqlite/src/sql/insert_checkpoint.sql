-- A result, in the transaction that counts it; the primary key refuses a second one of the same
-- key.
INSERT INTO checkpoints (
    job_id, stage, version, item, input, generation, at, result, result_digest,
    result_size_bytes
) VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
)
