-- Results, in the transaction that counts them; the primary key refuses a second one of the same key.
INSERT INTO checkpoints (
    job_id, stage, version, item, input, generation, at, result, result_digest,
    result_size_bytes
)
SELECT
    job_id, stage, version, item, input, generation, at, result, result_digest,
    result_size_bytes
FROM
    unnest(
        $1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::bytea[], $6::bigint[],
        $7::timestamptz[], $8::bytea[], $9::bytea[], $10::bigint[]
    ) AS fresh (
        job_id, stage, version, item, input, generation, at, result, result_digest,
        result_size_bytes
    )
