-- The migrations that the database has, oldest first, by primary key.
SELECT version, checksum FROM schema_migrations ORDER BY version
