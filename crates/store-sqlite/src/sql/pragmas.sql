-- Reads back what every connection promises. Touches no table.
SELECT
    (SELECT synchronous FROM pragma_synchronous) AS synchronous,
    (SELECT foreign_keys FROM pragma_foreign_keys) AS foreign_keys,
    (SELECT query_only FROM pragma_query_only) AS query_only
