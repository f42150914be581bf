-- Every column of every table and view, a line each: where it is, its type, and whether a row that does not name it
-- is refused.
SELECT
    table_name || '.' || column_name || '|' || data_type || '|'
    || CASE
        WHEN is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' THEN 'required'
        ELSE ''
    END
FROM information_schema.columns
WHERE table_schema = 'public';
