-- Takes the turn to do recurring work, unless somebody has it until later; by primary key.
INSERT INTO turns (name, next_at)
VALUES (?1, ?2)
ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at
WHERE turns.next_at <= ?3
RETURNING name
