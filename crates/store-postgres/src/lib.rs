//! The store on Postgres: row locks, group commit, one statement a batch.
//!
//! Commits of different jobs that arrive while others are under way share the next statement, which saves what
//! was decided on rows that have not changed since this process wrote or read them; so do submissions. A claim is one statement.
//! Every other write is a transaction of its own: it locks the rows, reads the database's time, decides, and
//! saves. Heartbeats have connections that jobs cannot exhaust.

#[cfg(test)]
extern crate self as koinon_store_postgres;

mod bounds;
mod connect;
mod error;
mod guard;
mod hints;
mod job_store;
mod lane;
mod lease_store;
mod ledger_store;
mod memory;
mod migrate;
mod queue_store;
mod read;
mod retention_store;
mod row;
mod scaler;
mod schedule_store;
mod store;
mod time;
mod tx;
mod worker_store;
mod write;

pub use scaler::{ScaledQueue, Scaler};
pub use store::{Notifications, Options, PostgresStore};
pub use time::Time;
