-- Gives a claim back whose row cannot be read, uncharged, and takes the row out of every index of work, without
-- reading it, with both events; by primary key.
WITH
claimed AS MATERIALIZED (
    SELECT job_id, state
    FROM runs
    WHERE job_id = $1 AND generation = $2 AND (state = 'leased' OR state = 'running')
    FOR UPDATE
),
given_back AS (
    UPDATE runs SET
        state = 'queued',
        attempt = runs.attempt - 1,
        event_seq = runs.event_seq + 2,
        set_aside_at = greatest(coalesce($3::timestamptz, clock_timestamp()), $4::timestamptz),
        lease_owner = NULL,
        lease_expires_at = NULL,
        lease_counted_to = NULL
    FROM claimed
    WHERE runs.job_id = claimed.job_id
    RETURNING runs.job_id, runs.event_seq, runs.generation, runs.set_aside_at, claimed.state AS was
)
INSERT INTO job_events (job_id, seq, at, generation, name, from_state, to_state, detail)
SELECT job_id, event_seq - 1, set_aside_at, generation, 'handed_back', was, 'queued', '{}'
FROM given_back
UNION ALL
SELECT
    job_id, event_seq, set_aside_at, generation, 'set_aside', NULL, NULL,
    jsonb_build_object('reason', $5::text)
FROM given_back
