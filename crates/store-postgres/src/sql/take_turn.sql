-- Takes the turn to do recurring work, unless somebody has it until later; by primary key.
INSERT INTO turns AS held (name, next_at)
VALUES ($1, coalesce($3::timestamptz, clock_timestamp()) + $2 * interval '1 microsecond')
ON CONFLICT (name) DO UPDATE SET next_at = EXCLUDED.next_at
WHERE held.next_at <= coalesce($3::timestamptz, clock_timestamp())
RETURNING name
