-- The migrations that the file has, oldest first, by primary key.
SELECT version, checksum FROM schema_migrations ORDER BY version
