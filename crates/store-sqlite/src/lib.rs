//! The store on SQLite: one writer a process, group commit, WAL.
//!
//! Every write is a request to the one writer thread, which decides and saves what is waiting in one
//! transaction. Reads go past it, to a small pool of connections that cannot write.

mod connect;
mod error;
mod job_store;
mod lease_store;
mod ledger_store;
mod memory;
mod migrate;
mod queue_store;
mod read;
mod readers;
mod retention_store;
mod row;
mod schedule_store;
mod statement;
mod steady;
mod store;
mod tx;
mod values;
mod worker_store;
mod write;
mod writer;

pub use store::{Options, SqliteStore};
