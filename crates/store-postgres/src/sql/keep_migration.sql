-- Remembers a migration, in the transaction that ran it.
INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)
