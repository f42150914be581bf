-- Everything that the migrations made, tables first, without what SQLite makes for itself.
SELECT sql
FROM sqlite_schema
WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
ORDER BY
    CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 WHEN 'view' THEN 2 ELSE 3 END,
    tbl_name,
    name;
