-- How long a migration waits for a table that somebody uses. Whoever comes to the table meanwhile waits behind the
-- migration, so this is far less than a lease. It ends with the transaction; touches no table.
SET LOCAL lock_timeout = '2s'
