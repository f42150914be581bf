//! The store on SQLite: one writer a process, group commit, WAL.
