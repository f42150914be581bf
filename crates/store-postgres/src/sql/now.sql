-- The time, where no locked row brings it.
SELECT coalesce($1::timestamptz, clock_timestamp()) AS now_at
