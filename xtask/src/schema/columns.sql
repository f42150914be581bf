-- Every column of every table and view, a line each: where it is, its type, and whether a row that does not name it
-- is refused.
SELECT
    held.name || '.' || columns.name || '|' || columns.type || '|'
    || iif(columns."notnull" AND columns.dflt_value IS NULL, 'required', '')
FROM sqlite_schema AS held
JOIN pragma_table_info(held.name) AS columns
WHERE held.type IN ('table', 'view') AND held.name NOT LIKE 'sqlite!_%' ESCAPE '!';
