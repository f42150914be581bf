//! What has ended goes after a while: jobs first, then blobs that no row names any more.

mod blobs;
mod jobs;

use std::collections::BTreeMap;
use std::time::Duration;

use koinon_domain::QueueName;
use koinon_store::Pruned;
use tokio_util::sync::CancellationToken;

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
    /// So many other databases keep blobs in the same store. If there is one, no blob goes.
    pub other_databases: u64,
    /// Files that interrupted writes left behind.
    pub unfinished: u64,
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
    /// Removes, or counts, what [`Services::keep`] no longer keeps, until `stop` is cancelled. Between
    /// transactions it rests as long as they took.
    ///
    /// # Errors
    ///
    /// [`SweepError`]; the next sweep goes on where this one ended.
    ///
    /// # Cancel safety
    ///
    /// What was removed is gone, and each transaction happens completely or not at all.
    pub async fn sweep(&self, sweep: Sweep, stop: &CancellationToken) -> Result<Swept, SweepError> {
        let mut swept = Swept::default();
        let gone = self.sweep_jobs(sweep, stop, &mut swept).await?;
        if let Some(orphans_for) = self.keep.orphans_for
            && !stop.is_cancelled()
        {
            self.sweep_blobs(sweep, orphans_for, &gone, stop, &mut swept).await?;
        }
        Ok(swept)
    }

    /// Rests as long as the work took, so that a sweep takes half of one connection at the most.
    async fn rest(&self, since: Duration) {
        let took = self.clock.monotonic().saturating_sub(since);
        tokio::time::sleep(took.min(Duration::from_secs(1))).await;
    }
}
