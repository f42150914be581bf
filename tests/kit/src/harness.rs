//! How the suite opens the store that it is run on.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use koinon_domain::JobId;
use koinon_store::{
    Clock, JobStore, LeaseStore, LedgerStore, QueueStore, RetentionStore, ScheduleStore,
    WorkerStore,
};

/// The ports of one open store.
#[derive(Clone)]
pub struct Stores {
    /// Submitting, reading and steering jobs.
    pub jobs: Arc<dyn JobStore>,
    /// The lease protocol.
    pub leases: Arc<dyn LeaseStore>,
    /// The ledger.
    pub ledger: Arc<dyn LedgerStore>,
    /// Queues as a whole.
    pub queues: Arc<dyn QueueStore>,
    /// Which workers there are.
    pub workers: Arc<dyn WorkerStore>,
    /// Schedules.
    pub schedules: Arc<dyn ScheduleStore>,
    /// What goes after a while.
    pub retention: Arc<dyn RetentionStore>,
    kept: Vec<Arc<dyn Any + Send + Sync>>,
}

impl Stores {
    /// The ports of a store that implements all of them.
    #[must_use]
    pub fn of<S>(store: Arc<S>) -> Self
    where
        S: JobStore
            + LeaseStore
            + LedgerStore
            + QueueStore
            + WorkerStore
            + ScheduleStore
            + RetentionStore
            + 'static,
    {
        Self {
            jobs: Arc::<S>::clone(&store),
            leases: Arc::<S>::clone(&store),
            ledger: Arc::<S>::clone(&store),
            queues: Arc::<S>::clone(&store),
            workers: Arc::<S>::clone(&store),
            schedules: Arc::<S>::clone(&store),
            retention: store,
            kept: Vec::new(),
        }
    }

    /// Keeps a value alive as long as the ports: a temporary folder, a server, the store itself.
    #[must_use]
    pub fn keeping<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.kept.push(Arc::new(value));
        self
    }

    /// A value that was handed to [`Self::keeping`].
    #[must_use]
    pub fn kept<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.kept.iter().find_map(|value| value.downcast_ref())
    }
}

impl fmt::Debug for Stores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stores").field("jobs", &self.jobs).finish_non_exhaustive()
    }
}

/// Opens the stores that the suite runs on.
#[async_trait]
pub trait Harness: Send + Sync {
    /// Opens a fresh, empty store that takes its time from `clock`.
    async fn open(&self, clock: Arc<dyn Clock>) -> Stores;

    /// Spoils the stored run of a leased job, as a hand in the database might, so that recovery
    /// cannot read it.
    async fn damage(&self, stores: &Stores, job: JobId);
}
