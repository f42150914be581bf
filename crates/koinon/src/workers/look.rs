//! The backlog as the workers of a process see it, not looked at too often.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::Workers;
use crate::backlog::{self, BacklogSnapshot};

/// A look that is not older than this serves whoever asks.
const FRESH_FOR: Duration = Duration::from_secs(5);

/// The last look, and the turn of whoever takes the next.
#[derive(Debug)]
pub(super) struct Looked {
    turn: Semaphore,
    last: Mutex<Option<(Duration, BacklogSnapshot)>>,
}

impl Looked {
    pub(super) fn new() -> Self {
        Self { turn: Semaphore::new(1), last: Mutex::default() }
    }

    /// The last look, unless it is too old at this instant of the monotonic clock.
    fn fresh(&self, now: Duration) -> Option<BacklogSnapshot> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, snapshot) = last.as_ref()?;
        (now.saturating_sub(*at) < FRESH_FOR).then(|| snapshot.clone())
    }

    fn keep(&self, now: Duration, snapshot: BacklogSnapshot) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some((now, snapshot));
    }
}

impl Workers {
    /// What waits and runs in the databases of these workers, whoever works on it. It is looked at when
    /// somebody asks, and once in 5 s at the most; who asks meanwhile is told the same. A database that does not
    /// answer, or that could not be opened yet, is unavailable.
    ///
    /// # Cancel safety
    ///
    /// May be dropped at any time.
    pub async fn backlog(&self) -> BacklogSnapshot {
        // It is never closed.
        let _turn = self.looked.turn.acquire().await.ok();
        if let Some(snapshot) = self.looked.fresh(self.clock.monotonic()) {
            return snapshot;
        }
        let queues = self.sites.iter().flat_map(|site| site.queues().iter().cloned());
        let stores: Vec<_> =
            self.sites.iter().map(|site| (site.url(), site.queue_store())).collect();
        let snapshot = backlog::of_open(&self.settings, queues.collect(), &stores).await;
        self.looked.keep(self.clock.monotonic(), snapshot.clone());
        snapshot
    }
}
