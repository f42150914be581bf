-- Moves the whole WAL into the database file and empties it. Touches no table.
PRAGMA wal_checkpoint (TRUNCATE)
