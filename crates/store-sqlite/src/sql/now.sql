-- The transaction's instant, as `clock` has just set it. By rowid.
SELECT now_at FROM clock WHERE only = 1
