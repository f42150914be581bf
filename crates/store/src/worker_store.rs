//! The port for knowing which workers there are.

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use koinon_domain::{QueueName, Timestamp, WorkerId};

use crate::Error;

/// A worker that was not seen for so long is forgotten.
pub const FORGOTTEN_AFTER: Duration = Duration::from_mins(10);

/// What a worker says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerCard {
    /// The worker.
    pub id: WorkerId,
    /// The kinds of job that it can run.
    pub kinds: Vec<String>,
    /// The queues that it works on.
    pub queues: Vec<QueueName>,
    /// How many jobs it runs at once.
    pub capacity: u32,
}

/// A worker, and when it was there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenWorker {
    /// What it says about itself.
    pub card: WorkerCard,
    /// When it was seen first.
    pub started_at: Timestamp,
    /// When it was seen last.
    pub seen_at: Timestamp,
}

impl SeenWorker {
    /// Whether it takes jobs of this kind from this queue.
    #[must_use]
    pub fn takes(&self, kind: &str, queue: &QueueName) -> bool {
        self.card.queues.contains(queue) && self.card.kinds.iter().any(|own| own == kind)
    }
}

/// Which workers there are. It is for people who ask why nothing runs: nothing else depends on it.
///
/// Every method is cancel safe. Errors are those of [`Error`].
#[async_trait]
pub trait WorkerStore: Debug + Send + Sync {
    /// Notes that a worker is there, and forgets those that have been silent for [`FORGOTTEN_AFTER`].
    async fn seen(&self, card: &WorkerCard) -> Result<(), Error>;

    /// Notes that a worker has ended.
    async fn gone(&self, worker: WorkerId) -> Result<(), Error>;

    /// The workers that were seen within `within`, by id.
    async fn workers(&self, within: Duration) -> Result<Vec<SeenWorker>, Error>;
}
