-- Whether the file has been migrated at all; reads the short list of tables.
SELECT count(*) AS has_schema FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'
