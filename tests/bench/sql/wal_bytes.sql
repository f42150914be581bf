-- Bytes of write-ahead log so far, of the whole server.
SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint
