-- The transaction's instant, never before the last one that a write was decided at. The one row of
-- `clock` is found by its rowid.
UPDATE clock SET now_at = max(now_at, ?) WHERE only = 1
