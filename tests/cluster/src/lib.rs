//! A private Postgres for tests: started from the installed programs on a free port, and gone with the
//! process that started it, however that ends.

mod cluster;
mod database;
mod install;
mod owner;
mod pooler;
mod programs;
mod server;
mod setup;

pub use cluster::Cluster;
pub use database::Database;
pub use pooler::{Pooler, install_pooler};
pub use programs::{Programs, install, need_faketime};
pub use setup::{Disk, Setup};
