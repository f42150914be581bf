//! The worker of one database, and looking for that database while it is not there.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use koinon_runner::{Beside, Drained, Process, Until, Worker};
use koinon_store::QueueStore;
use tokio_util::sync::CancellationToken;

use super::Standing;
use crate::database::Database;
use crate::parts::Parts;
use crate::queues::{Datasource, Queue};
use crate::{Error, builder, told};

/// How long to wait before a database is tried again, at first and at the most.
const AGAIN_AFTER: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(15)];

/// The worker of one database.
#[derive(Debug)]
pub(super) struct Site {
    url: String,
    queues: Vec<Queue>,
    parts: Arc<Parts>,
    beside: Vec<Beside>,
    process: Process,
    /// Once it could be opened for the first time.
    open: OnceLock<Open>,
}

#[derive(Debug)]
struct Open {
    database: Database,
    worker: Worker,
}

impl Site {
    pub(super) const fn new(
        url: String,
        queues: Vec<Queue>,
        parts: Arc<Parts>,
        beside: Vec<Beside>,
        process: Process,
    ) -> Self {
        Self { url, queues, parts, beside, process, open: OnceLock::new() }
    }

    /// The address of its database.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// The queues that it works on.
    pub(super) fn queues(&self) -> &[Queue] {
        &self.queues
    }

    /// The queues of its database as a whole, once that is open.
    pub(super) fn queue_store(&self) -> Option<&Arc<dyn QueueStore>> {
        self.open.get().map(|open| &open.database.queues)
    }

    /// Opens the database, if it answers in time.
    ///
    /// # Errors
    ///
    /// What waiting does not cure.
    pub(super) async fn open_within(&self, time: Duration) -> Result<(), Error> {
        let why = match tokio::time::timeout(time, self.open()).await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) if error.is_transient() => told(&error),
            Ok(Err(error)) => return Err(error),
            Err(_) => "it did not answer in time".to_owned(),
        };
        tracing::warn!(datasources = self.names(), why, "unavailable; it is tried again and again");
        Ok(())
    }

    async fn open(&self) -> Result<(), Error> {
        let database = self.parts.open(&self.url).await?;
        if let Err(error) = self.parts.prepare(&database.ledger, &database.retention).await {
            database.close().await;
            return Err(error);
        }
        let config = builder::config(&self.parts.settings);
        let lanes = self.queues.iter().map(Queue::lane);
        let services = self.parts.services(&database, self.beside.clone());
        let worker = Worker::start_in(&self.process, services, config, lanes);
        tracing::info!(datasources = self.names(), queues = self.queue_names(), "available");
        // Nobody else opens it at the same time.
        let _open = self.open.set(Open { database, worker });
        Ok(())
    }

    /// Works on its queues until `stop` is cancelled. Whatever fails is tried again.
    pub(super) async fn work(&self, stop: &CancellationToken) {
        let Some(open) = self.opened(stop).await else { return };
        let mut waits = waits();
        while let Err(error) = open.worker.dispatch(Until::Stopped).await {
            self.note_unavailable(&error.into());
            if pause(&mut waits, stop).await.is_none() {
                return;
            }
        }
    }

    /// Looks for the database until it can be opened; `None` if `stop` is cancelled first.
    async fn opened(&self, stop: &CancellationToken) -> Option<&Open> {
        let mut waits = waits();
        while self.open.get().is_none() {
            let opened = tokio::select! {
                opened = self.open() => opened,
                () = stop.cancelled() => return None,
            };
            if let Err(error) = opened {
                self.note_unavailable(&error);
                pause(&mut waits, stop).await?;
            } else if stop.is_cancelled() {
                // Whoever drains may have looked before it was open.
                self.drain().await;
                return None;
            }
        }
        self.open.get()
    }

    fn note_unavailable(&self, error: &Error) {
        let (datasources, code, why) = (self.names(), error.code(), told(error));
        if error.is_transient() {
            tracing::debug!(datasources, %code, why, "unavailable");
        } else {
            tracing::error!(datasources, %code, why, "unavailable until somebody mends it");
        }
    }

    pub(super) fn stop(&self) {
        if let Some(open) = self.open.get() {
            open.worker.stop();
        }
    }

    /// Drains the worker and closes the database, if there are any.
    pub(super) async fn drain(&self) -> Drained {
        let Some(open) = self.open.get() else { return Drained::Clean };
        let drained = open.worker.drain().await;
        open.database.close().await;
        drained
    }

    pub(super) fn standing(&self) -> Standing {
        let worker = self.open.get().map(|open| &open.worker);
        let running = worker.map(Worker::running).unwrap_or_default();
        let count = |queue: &Queue| {
            running.iter().find(|(name, _)| *name == queue.name).map_or(0, |(_, count)| *count)
        };
        Standing {
            datasources: self.datasources(),
            is_available: worker.is_some_and(Worker::has_reached_store),
            queues: self.queues.iter().map(|queue| (queue.clone(), count(queue))).collect(),
            calls: worker.map_or(0, |worker| worker.tally().calls()),
            replayed_calls: worker.map_or(0, |worker| worker.tally().replayed()),
        }
    }

    fn datasources(&self) -> Vec<Datasource> {
        let mut datasources: Vec<_> = self.queues.iter().map(|queue| queue.datasource).collect();
        datasources.sort_unstable();
        datasources.dedup();
        datasources
    }

    fn names(&self) -> String {
        self.datasources().iter().map(|one| one.name()).collect::<Vec<_>>().join(", ")
    }

    fn queue_names(&self) -> String {
        self.queues.iter().map(|queue| queue.name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// How long to wait before each further try.
fn waits() -> impl Iterator<Item = Duration> {
    let [first, most] = AGAIN_AFTER;
    std::iter::successors(Some(first), move |wait| Some((*wait * 2).min(most)))
}

/// Waits for the next try; `None` if `stop` is cancelled first.
async fn pause(waits: &mut impl Iterator<Item = Duration>, stop: &CancellationToken) -> Option<()> {
    let wait = waits.next()?;
    tokio::select! {
        () = tokio::time::sleep(wait) => Some(()),
        () = stop.cancelled() => None,
    }
}
