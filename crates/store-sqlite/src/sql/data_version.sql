-- Whether others have written to the file since this connection looked last. Touches no table.
PRAGMA data_version
