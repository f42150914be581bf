-- A long transaction: rows that die from now on stay where they are until it ends.
SET idle_in_transaction_session_timeout = 0;
SET statement_timeout = 0;
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT count(*) FROM pg_class
