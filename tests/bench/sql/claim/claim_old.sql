-- All jobs that have been ready for an hour are claimed at once; their entries in the ready index are dead then,
-- as those of claims are.
UPDATE runs SET
    state = 'leased',
    generation = generation + 1,
    attempt = attempt + 1,
    lease_owner = gen_random_uuid(),
    lease_expires_at = now() + interval '1 minute',
    lease_counted_to = now()
WHERE state = 'queued' AND ready_at < now() - interval '1 hour'
