-- Whether the file has been migrated at all; reads the short list of tables.
SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'
