//! The port for queues as a whole: looking at them, and pausing them.

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use koinon_domain::{QueueName, Timestamp};

use crate::{Error, Running, RunningLimits};

/// Where a count of jobs stops: this many means "more than 10 000".
pub const COUNT_MAX: u32 = 10_001;

/// How many jobs of a queue stand where. A living job is counted once; one that has ended is not.
///
/// Every count stops at [`COUNT_MAX`], so that counting costs the same however long the queue is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueBacklog {
    /// The queue.
    pub queue: QueueName,
    /// Jobs that a worker could take now, those whose wait for a retry is over, which the next sweep queues,
    /// and schedules whose tick is due, each as one; no more than may run beside those that are active.
    pub ready: u32,
    /// Jobs that a worker holds, also one whose lease has expired and that nobody has recovered.
    pub active: u32,
    /// Jobs that wait for a retry.
    pub retry: u32,
    /// Jobs that were queued for later, such as those that were handed back for a while.
    pub deferred: u32,
    /// Jobs that are paused, those that have used up their budget left aside; of a paused queue also those
    /// that would be ready.
    pub paused: u32,
    /// Jobs that cannot go on because a budget is used up, and those that would be ready if no more than the
    /// limit of their queue or of their tenant were running.
    pub blocked: u32,
    /// Jobs that were set aside, wherever they stand; they are counted nowhere else.
    pub set_aside: u32,
    /// Since when the queue is paused, if it is. What would be ready is counted as paused then.
    pub paused_at: Option<Timestamp>,
    /// How long the one has waited that could be taken for longest, though its tenant may have no place, in
    /// whole milliseconds; `None` if none is ready.
    pub oldest_ready_age: Option<Duration>,
}

impl QueueBacklog {
    /// A queue without jobs.
    #[must_use]
    pub const fn empty(queue: QueueName) -> Self {
        Self {
            queue,
            ready: 0,
            active: 0,
            retry: 0,
            deferred: 0,
            paused: 0,
            blocked: 0,
            set_aside: 0,
            paused_at: None,
            oldest_ready_age: None,
        }
    }
}

/// Queues as a whole.
///
/// Every method is cancel safe. Errors are those of [`Error`].
#[async_trait]
pub trait QueueStore: Debug + Send + Sync {
    /// The backlog of `queues`, each under its limits, and of every other queue that has a living job or is
    /// paused, by name.
    ///
    /// It reads and takes no lock. Its cost grows with the number of queues, of held jobs, and of tenants with
    /// queued jobs in queues with a limit for each tenant, and neither with history nor with the length of a
    /// queue.
    async fn backlog(
        &self,
        queues: &[(QueueName, RunningLimits)],
    ) -> Result<Vec<QueueBacklog>, Error>;

    /// How many jobs of a queue are held, by tenant, as a claim under limits counts them: one whose lease has
    /// expired counts until it is recovered or set aside.
    async fn running(&self, queue: &QueueName) -> Result<Running, Error>;

    /// Pauses a queue: nothing is claimed from it, and a peek does not name it. What runs goes on, and a
    /// claim that has begun before may still end. Answers `false` if it was paused already.
    async fn pause(&self, queue: &QueueName) -> Result<bool, Error>;

    /// Lets a paused queue go on. Answers `false` if it was not paused.
    async fn resume(&self, queue: &QueueName) -> Result<bool, Error>;
}
