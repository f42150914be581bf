-- Reads back whether the file is in WAL mode. Touches no table.
PRAGMA journal_mode
