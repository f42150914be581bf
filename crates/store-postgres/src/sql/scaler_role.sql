-- What stands in the way of a role that is to see the backlog and nothing else, and in which schema the
-- tables are. It reads catalogs, by their own indexes, and locks nothing.
WITH scaler AS (
    SELECT roles.oid, roles.rolsuper FROM pg_roles AS roles WHERE roles.rolname = $1
)
SELECT
    (
        SELECT quote_ident(spaces.nspname)
        FROM pg_class AS tables
        JOIN pg_namespace AS spaces ON spaces.oid = tables.relnamespace
        WHERE tables.oid = to_regclass('runs')
    ) AS tables_in,
    EXISTS (SELECT 1 FROM scaler) AS is_there,
    coalesce((SELECT scaler.rolsuper FROM scaler), FALSE) AS is_superuser,
    coalesce((SELECT pg_has_role(scaler.oid, current_user, 'MEMBER') FROM scaler), FALSE)
        AS is_installer,
    (
        SELECT format('%I.%I', spaces.nspname, tables.relname)
        FROM scaler
        CROSS JOIN pg_class AS tables
        JOIN pg_namespace AS spaces ON spaces.oid = tables.relnamespace
        WHERE tables.relkind IN ('r', 'p', 'v', 'm', 'f')
            AND spaces.nspname NOT IN ('pg_catalog', 'information_schema')
            AND spaces.nspname NOT LIKE 'pg\_%'
            AND (
                has_table_privilege(scaler.oid, tables.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
                OR has_any_column_privilege(scaler.oid, tables.oid, 'SELECT, INSERT, UPDATE')
            )
        ORDER BY spaces.nspname, tables.relname
        LIMIT 1
    ) AS may_use
