-- Lets one migrate at a time; the lock ends with the transaction, whatever becomes of its holder. Touches no
-- table.
SELECT pg_advisory_xact_lock(7158304966170114)
