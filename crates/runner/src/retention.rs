//! What has ended goes after a while: the jobs of each database first, then blobs that no row of any of them names.

mod blobs;
mod jobs;

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use koinon_domain::{JobId, QueueName};
use koinon_store::Pruned;

use crate::Services;

/// So many jobs go in one transaction at the most.
const JOBS_MAX: u32 = 20;

/// So many rows are read at once.
const ROWS_MAX: u32 = 500;

/// What a sweep does with what it finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sweep {
    /// Count it.
    DryRun,
    /// Remove it.
    Remove,
}

/// What a sweep removed, or would remove.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Swept {
    /// Jobs and their rows, by queue; queues of which nothing goes are left out.
    pub queues: BTreeMap<QueueName, Pruned>,
    /// Blobs.
    pub blobs: u64,
    /// How long they are together.
    pub blob_bytes: u64,
    /// So many databases that nobody configured keep blobs in the same store. If there is one, no blob goes.
    pub other_databases: u64,
    /// Databases that could not be asked, by name. If there is one, no blob goes.
    pub unavailable: Vec<String>,
    /// Files that interrupted writes left behind.
    pub unfinished: u64,
    /// The jobs that a dry run would have removed: what they name is not named any more.
    gone: HashSet<JobId>,
}

/// Why a sweep ended early; what it had removed is gone.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] koinon_store::Error),
    /// The artifact store failed.
    #[error(transparent)]
    Artifacts(#[from] koinon_artifacts::Error),
}

impl Services {
    /// Rests as long as the work took, so that a sweep takes half of one connection at the most.
    async fn rest(&self, since: Duration) {
        let took = self.clock.monotonic().saturating_sub(since);
        tokio::time::sleep(took.min(Duration::from_secs(1))).await;
    }
}
