//! The port for what goes after a while.

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use koinon_domain::{DatabaseId, Digest, JobId, QueueName, ScheduleId, State, Timestamp};

use crate::{CheckpointKey, Error};

/// Jobs that ended so long ago that they may go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Old {
    /// Where they waited.
    pub queue: QueueName,
    /// How they ended.
    pub state: State,
    /// How long such jobs are kept, by the store's clock.
    pub kept_for: Duration,
}

/// What went, or would go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    /// Jobs.
    pub jobs: u64,
    /// Lines of their histories.
    pub events: u64,
    /// Stored results.
    pub checkpoints: u64,
}

impl Pruned {
    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            jobs: self.jobs.saturating_add(other.jobs),
            events: self.events.saturating_add(other.events),
            checkpoints: self.checkpoints.saturating_add(other.checkpoints),
        }
    }
}

/// Where a page of old jobs begins: after the one that ended then.
pub type OldCursor = (Timestamp, JobId);

/// A page of old jobs, the one that ended first in front.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OldPage {
    /// The jobs.
    pub jobs: Vec<JobId>,
    /// What they would take with them.
    pub pruned: Pruned,
    /// Where the next page begins, if there may be one.
    pub next: Option<OldCursor>,
}

/// Where a page of names begins. The tables are read in this order, in which no name is missed that moves
/// meanwhile: a schedule's input is copied to a job, and may go before the job's row is read, so schedules come
/// first; what is copied to an outcome stays in its checkpoint or entry, so those come last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamesAfter {
    /// In the payloads of schedules.
    Schedules(Option<ScheduleId>),
    /// In the payloads of jobs.
    Jobs(Option<JobId>),
    /// In the manifests and summaries of jobs that have ended.
    Outcomes(Option<JobId>),
    /// In the results of stages and items.
    Checkpoints(Option<(JobId, CheckpointKey)>),
    /// In the stored answers of the ledger, after the entry of that number.
    Entries(i64),
}

impl NamesAfter {
    /// The beginning.
    pub const FIRST: Self = Self::Schedules(None);

    /// The beginning of the table behind this one; `None` behind the last.
    #[must_use]
    pub const fn next_table(&self) -> Option<Self> {
        match self {
            Self::Schedules(_) => Some(Self::Jobs(None)),
            Self::Jobs(_) => Some(Self::Outcomes(None)),
            Self::Outcomes(_) => Some(Self::Checkpoints(None)),
            Self::Checkpoints(_) => Some(Self::Entries(0)),
            Self::Entries(_) => None,
        }
    }
}

/// A page of the names of blobs that stand in rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamesPage {
    /// Each name, and the job that it stands in; `None` for a schedule.
    pub names: Vec<(Option<JobId>, Digest)>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<NamesAfter>,
}

/// What goes after a while. The ledger stays.
///
/// Every method is cancel safe: a write that was begun either happens completely or not at all.
#[async_trait]
pub trait RetentionStore: Debug + Send + Sync {
    /// Which database this is. It never changes, and a copy of the database has the same.
    async fn database_id(&self) -> Result<DatabaseId, Error>;

    /// The queues that have jobs that have ended.
    async fn ended_queues(&self) -> Result<Vec<QueueName>, Error>;

    /// A page of old jobs. One with a call in doubt is none: it stays until somebody has cleared that up.
    async fn old_jobs(
        &self,
        old: &Old,
        after: Option<OldCursor>,
        limit: u32,
    ) -> Result<OldPage, Error>;

    /// Takes up to `limit` old jobs away, with everything of theirs but the amounts of the ledger, in one
    /// transaction. Jobs that somebody else has locked are left for later.
    async fn prune_jobs(&self, old: &Old, limit: u32) -> Result<Pruned, Error>;

    /// Whether it is the caller's turn to do recurring work of that name, which then comes next after
    /// `every`. Of many who ask at once, one gets it.
    async fn take_turn(&self, name: &'static str, every: Duration) -> Result<bool, Error>;

    /// When the earliest of the claims was made that somebody holds now; the store's time if nobody holds one.
    /// What a held job has stored and no row names yet was stored after that.
    async fn held_since(&self) -> Result<Timestamp, Error>;

    /// A page of the names of blobs that stand in rows; about `limit` rows.
    async fn blob_names(&self, after: &NamesAfter, limit: u32) -> Result<NamesPage, Error>;
}
