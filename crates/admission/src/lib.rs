//! The bulkhead in front of root operations: FIFO permits, bounded waiting, nested reuse, shutdown.
