-- What was asked for, once more for each number from $2 to $3: the job $1 under ids that rise with the number.
-- Whatever other columns there are keep the values of that job.
INSERT INTO jobs
SELECT made.*
FROM jobs AS model
CROSS JOIN generate_series($2::bigint, $3::bigint) AS number
CROSS JOIN LATERAL jsonb_populate_record(
    model,
    jsonb_build_object(
        'job_id',
        left(replace(model.job_id::text, '-', ''), 8) || lpad(to_hex(number), 8, '0')
            || right(replace(model.job_id::text, '-', ''), 16),
        'incarnation', number + 1
    )
) AS made
WHERE model.job_id = $1
