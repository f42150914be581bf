//! What a run of chaos is to be.

use std::path::PathBuf;
use std::time::Duration;

use crate::store::Store;

/// What a run of chaos is to be.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Where the worker for tests is.
    pub program: PathBuf,
    /// What the workers share. On Postgres it is a server of the run's own, and each worker reaches it through
    /// a proxy that cuts connections.
    pub store: Store,
    /// How many workers there are.
    pub workers: usize,
    /// How long they are treated badly at least.
    pub lasts: Duration,
    /// How many of those that hold a lease are killed at least, however long that takes.
    pub kills: usize,
    /// The same for stopping them.
    pub stops: usize,
    /// How many jobs there are at least; a multiple of 20.
    pub jobs: usize,
    /// How long a lease lasts.
    pub lease_for: Duration,
    /// How long, once they are left alone, the workers may take until the next of the jobs that are left has
    /// ended.
    pub settle_for: Duration,
    /// What drives which process gets what, and when.
    pub seed: u64,
    /// When the folder of the run stays.
    pub keep: Keep,
}

/// When the folder of a run stays, with the tables, the logs, and what the provider was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// If something went wrong.
    Failed,
    /// In any case.
    Always,
}

impl Plan {
    /// As `cargo xtask chaos` does it, unless it is told otherwise.
    #[must_use]
    pub const fn new(program: PathBuf, store: Store, seed: u64) -> Self {
        Self {
            program,
            store,
            workers: 4,
            lasts: Duration::from_secs(60),
            kills: 0,
            stops: 0,
            jobs: 500,
            lease_for: Duration::from_secs(2),
            settle_for: Duration::from_secs(180),
            seed,
            keep: Keep::Failed,
        }
    }
}
