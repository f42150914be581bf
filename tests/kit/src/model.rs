//! The reference store: maps behind a mutex, decided by the functions that every store uses.

mod beside;
mod jobs;
mod leases;
mod ledger;
mod queues;
mod retention;
mod rows;
mod schedules;
mod workers;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use koinon_domain::{JobId, Timestamp};
use koinon_store::{Clock, Hint, HintSender};

use crate::{Harness, Stores};
use rows::Rows;

/// A store in memory that keeps every promise of the ports and nothing on disk.
pub struct ModelStore {
    clock: Arc<dyn Clock>,
    rows: Mutex<Rows>,
    hints: HintSender,
}

impl ModelStore {
    /// An empty store that takes its time from `clock`; what it stores never goes backwards.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, rows: Mutex::default(), hints: HintSender::new() }
    }

    /// Spoils a job's row: recovery will not be able to read it.
    pub fn damage(&self, job: JobId) {
        self.rows().damaged.insert(job);
    }

    /// A store of its own that begins with these rows.
    pub(crate) fn fork(&self) -> Self {
        let rows = Mutex::new(self.rows().clone());
        Self { clock: Arc::clone(&self.clock), rows, hints: HintSender::new() }
    }

    /// Whether another store has the same rows.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || *self.rows() == *other.rows()
    }

    fn hint(&self, hint: Option<Hint>) {
        if let Some(hint) = hint {
            self.hints.send(hint);
        }
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().unwrap()
    }

    /// The rows for a write, and the instant of that write.
    fn begin(&self) -> (MutexGuard<'_, Rows>, Timestamp) {
        let mut rows = self.rows();
        rows.time = rows.time.max(self.clock.now());
        let now = rows.time;
        (rows, now)
    }
}

impl fmt::Debug for ModelStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelStore").finish_non_exhaustive()
    }
}

/// Opens model stores.
#[derive(Debug, Clone, Copy, Default)]
pub struct ModelHarness;

#[async_trait]
impl Harness for ModelHarness {
    async fn open(&self, clock: Arc<dyn Clock>) -> Stores {
        let store = Arc::new(ModelStore::new(clock));
        Stores::of(Arc::clone(&store)).keeping(store)
    }

    async fn damage(&self, stores: &Stores, job: JobId) {
        stores.kept::<Arc<ModelStore>>().expect("it was kept").damage(job);
    }
}
