-- The history of the job $1, once more for each number from $2 to $3.
INSERT INTO job_events
SELECT made.*
FROM job_events AS model
CROSS JOIN generate_series($2::bigint, $3::bigint) AS number
CROSS JOIN LATERAL jsonb_populate_record(
    model,
    jsonb_build_object(
        'job_id',
        left(replace(model.job_id::text, '-', ''), 8) || lpad(to_hex(number), 8, '0')
            || right(replace(model.job_id::text, '-', ''), 16)
    )
) AS made
WHERE model.job_id = $1
