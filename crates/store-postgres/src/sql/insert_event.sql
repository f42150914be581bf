-- Lines of jobs' histories, in the transaction of what they tell; the primary key refuses a second event
-- of the same number.
INSERT INTO job_events (
    job_id, seq, at, generation, name, from_state, to_state, detail
)
SELECT
    job_id, seq, at, generation, name, from_state, to_state, detail::jsonb
FROM
    unnest(
        $1::uuid[], $2::bigint[], $3::timestamptz[], $4::bigint[], $5::text[], $6::text[],
        $7::text[], $8::text[]
    ) AS fresh (
        job_id, seq, at, generation, name, from_state, to_state, detail
    )
