-- How the job $1 stands, once more for each number from $2 to $3, each ready a microsecond after the one before
-- it, and all of them since a day earlier than that job.
INSERT INTO runs
SELECT made.*
FROM runs AS model
CROSS JOIN generate_series($2::bigint, $3::bigint) AS number
CROSS JOIN LATERAL jsonb_populate_record(
    model,
    jsonb_build_object(
        'job_id',
        left(replace(model.job_id::text, '-', ''), 8) || lpad(to_hex(number), 8, '0')
            || right(replace(model.job_id::text, '-', ''), 16),
        'ready_at', model.ready_at - interval '1 day' + number * interval '1 microsecond'
    )
) AS made
WHERE model.job_id = $1
