-- Lets one claim under limits of a queue decide at a time; the lock ends with the transaction, whatever becomes
-- of its holder. Touches no table.
SELECT pg_advisory_xact_lock(1263490894, hashtext($1))
