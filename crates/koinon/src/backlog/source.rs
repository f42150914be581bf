//! One database that is looked at.

use std::sync::Arc;
use std::time::Duration;

use koinon_domain::{ErrorCode, QueueName};
use koinon_store::{QueueBacklog, QueueStore, RunningLimits, SystemClock};
use tokio::sync::OnceCell;

use super::{Availability, DatasourceBacklog, QueueDemand};
use crate::Error;
use crate::database::Database;
use crate::queues::{Datasource, Queue};
use crate::settings::Settings;

/// A datasource that does not answer for so long is unavailable.
const ANSWER_FOR: Duration = Duration::from_secs(5);

/// One database that is looked at, and the queues in it that are shown even if they are empty.
#[derive(Debug)]
pub(super) struct Source {
    datasource: Datasource,
    queues: Vec<(QueueName, RunningLimits)>,
    store: Store,
}

#[derive(Debug)]
enum Store {
    Shared(Arc<dyn QueueStore>),
    Own(OnceCell<Database>),
}

impl Source {
    /// The database of every datasource; several datasources that are one database are the first of them.
    pub(super) fn all(settings: &Settings, queues: &[Queue]) -> Vec<Self> {
        let mut sources: Vec<Self> = Vec::new();
        for datasource in Datasource::ALL {
            let url = datasource.url(settings);
            if sources.iter().any(|one| one.datasource.url(settings) == url) {
                continue;
            }
            let here = queues.iter().filter(|queue| queue.datasource.url(settings) == url);
            let queues = here.map(|queue| (queue.name.clone(), queue.limits)).collect();
            sources.push(Self { datasource, queues, store: Store::Own(OnceCell::new()) });
        }
        sources
    }

    /// The address of its database.
    pub(super) fn url<'s>(&self, settings: &'s Settings) -> &'s str {
        self.datasource.url(settings)
    }

    /// What is said of a database that could not be opened yet.
    pub(super) fn missing(&self) -> DatasourceBacklog {
        let queues = Availability::Unavailable { code: ErrorCode::STORE_UNAVAILABLE };
        DatasourceBacklog { datasource: self.datasource, queues }
    }

    /// Looks at a store that is open already.
    pub(super) fn share(&mut self, store: &Arc<dyn QueueStore>) {
        self.store = Store::Shared(Arc::clone(store));
    }

    /// Its queues now.
    pub(super) async fn look(&self, settings: &Settings) -> Result<DatasourceBacklog, Error> {
        let queues = match tokio::time::timeout(ANSWER_FOR, self.backlog(settings)).await {
            Ok(Ok(queues)) => Availability::Available(with_capacity(queues, settings)),
            Ok(Err(error)) if error.is_transient() => return Ok(self.unavailable(&error)),
            Ok(Err(error)) => return Err(error),
            Err(_elapsed) => return Ok(self.missing()),
        };
        Ok(DatasourceBacklog { datasource: self.datasource, queues })
    }

    async fn backlog(&self, settings: &Settings) -> Result<Vec<QueueBacklog>, Error> {
        let store = match &self.store {
            Store::Shared(store) => store,
            Store::Own(database) => &database.get_or_try_init(|| self.open(settings)).await?.queues,
        };
        Ok(store.backlog(&self.queues).await?)
    }

    async fn open(&self, settings: &Settings) -> Result<Database, Error> {
        let mut settings = settings.clone();
        settings.database.url = self.datasource.url(&settings).to_owned();
        Database::open(&settings, Arc::new(SystemClock::new())).await
    }

    /// What is said of a database that cannot be looked at.
    pub(super) fn unavailable(&self, error: &Error) -> DatasourceBacklog {
        let datasource = self.datasource;
        tracing::warn!(%datasource, %error, "a datasource cannot be asked");
        let queues = Availability::Unavailable { code: error.code() };
        DatasourceBacklog { datasource, queues }
    }

    pub(super) async fn close(&self) {
        if let Store::Own(database) = &self.store
            && let Some(database) = database.get()
        {
            database.close().await;
        }
    }
}

fn with_capacity(queues: Vec<QueueBacklog>, settings: &Settings) -> Vec<QueueDemand> {
    let demand = |backlog: QueueBacklog| {
        let queue = Queue::of(backlog.queue.clone(), settings);
        QueueDemand { backlog, per_replica_capacity: queue.per_replica_capacity }
    };
    queues.into_iter().map(demand).collect()
}
