-- How each statement of a claim goes on behind its `ready` jobs, whose rows it has locked: it claims them, with the
-- events of each, and reads what they are to do, in the order of their turns. The time is read once the rows are
-- locked. Its arguments are the first five; those of the beginnings follow. What a claim does to a row is what
-- `koinon_store::decide::claim` does: jobs of the kinds $5 start with it, if they may run under their authority.
begun AS MATERIALIZED (
    SELECT
        array_agg(job_id) AS jobs,
        greatest(coalesce($1::timestamptz, clock_timestamp()), $2::timestamptz) AS now_at
    FROM ready
),
taken AS (
    UPDATE runs SET
        (state, event_seq, error_code, error_summary) = (
            SELECT
                CASE WHEN started.yes THEN 'running' ELSE 'leased' END,
                runs.event_seq + CASE WHEN started.yes THEN 2 ELSE 1 END,
                CASE WHEN NOT started.yes THEN runs.error_code END,
                CASE WHEN NOT started.yes THEN runs.error_summary END
            FROM (
                SELECT cardinality($5::text[]) > 0 AND EXISTS (
                    SELECT 1
                    FROM jobs
                    WHERE jobs.job_id = runs.job_id
                        AND jobs.kind = ANY ($5::text[])
                        AND jobs.authority ->> 'tenant' = runs.tenant
                )
                OFFSET 0
            ) AS started (yes)
        ),
        generation = runs.generation + 1,
        attempt = runs.attempt + 1,
        checkpointed = false,
        lease_owner = $3,
        lease_expires_at = begun.now_at + $4::bigint * interval '1 microsecond',
        lease_counted_to = begun.now_at
    FROM begun
    WHERE runs.job_id = ANY (begun.jobs)
    RETURNING runs.*, runs.xmin::text AS row_version, begun.now_at
),
told AS (
    INSERT INTO job_events (job_id, seq, at, generation, name, from_state, to_state, detail)
    SELECT
        job_id, event_seq - CASE WHEN state = 'running' THEN 1 ELSE 0 END, now_at, generation,
        'claimed', 'queued', 'leased',
        jsonb_build_object('attempt', attempt::text, 'worker', lease_owner::text)
    FROM taken
    UNION ALL
    SELECT job_id, event_seq, now_at, generation, 'started', 'leased', 'running', '{}'
    FROM taken
    WHERE state = 'running'
)
SELECT
    jobs.project, jobs.kind, jobs.identity, jobs.payload, jobs.authority, jobs.limits,
    jobs.submitted_at, taken.*
FROM taken
LEFT JOIN LATERAL (
    SELECT * FROM jobs WHERE jobs.job_id = taken.job_id OFFSET 0
) AS jobs ON true
ORDER BY taken.priority DESC, taken.ready_at, taken.job_id
