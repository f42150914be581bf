-- As many ready rows as the floor may need.
WITH RECURSIVE numbers (number) AS (
    SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?1
)
INSERT INTO job (payload) SELECT '{"n": 1, "to": "someone@example.com"}' FROM numbers
