-- Whether the database has been migrated at all; reads the catalogue only.
SELECT to_regclass('schema_migrations') IS NOT NULL AS has_schema
