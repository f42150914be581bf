-- Gives a claim back whose row cannot be read, uncharged, and takes the row out of every index of work, without
-- reading it, with both events; by primary key.
WITH given_back AS (
    UPDATE runs SET
        state = 'queued',
        attempt = attempt - 1,
        event_seq = event_seq + 2,
        set_aside_at = greatest(coalesce($3::timestamptz, clock_timestamp()), $4::timestamptz),
        lease_owner = NULL,
        lease_expires_at = NULL,
        lease_counted_to = NULL
    WHERE job_id = $1 AND generation = $2 AND state = 'leased'
    RETURNING job_id, event_seq, generation, set_aside_at
)
INSERT INTO job_events (job_id, seq, at, generation, name, from_state, to_state, detail)
SELECT job_id, event_seq - 1, set_aside_at, generation, 'handed_back', 'leased', 'queued', '{}'
FROM given_back
UNION ALL
SELECT
    job_id, event_seq, set_aside_at, generation, 'set_aside', NULL, NULL,
    jsonb_build_object('reason', $5::text)
FROM given_back
