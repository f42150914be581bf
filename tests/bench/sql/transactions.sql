-- Transactions of this database so far. A session tells of its last ones when it ends.
SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()
