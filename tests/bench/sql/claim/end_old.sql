-- They end, as jobs do.
WITH ended AS (
    DELETE FROM runs WHERE state = 'leased' RETURNING *
)
INSERT INTO outcomes
SELECT made.*
FROM ended
CROSS JOIN LATERAL jsonb_populate_record(
    NULL::outcomes,
    to_jsonb(ended) || jsonb_build_object('state', 'succeeded', 'ended_at', now())
) AS made
