//! Databases beside the one that is worked on, opened when somebody needs them.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use koinon_domain::{DatabaseId, QueueName, Timestamp};
use koinon_runner::Beside;
use koinon_store::{
    Error as StoreError, NamesAfter, NamesPage, Old, OldCursor, OldPage, Pruned, RetentionStore,
};
use tokio::sync::OnceCell;

use crate::Error;
use crate::database::Database;
use crate::parts::Parts;
use crate::queues::Datasource;

/// Databases beside the one that is worked on, each opened when it is needed for the first time.
#[derive(Debug, Default)]
pub(crate) struct Elsewhere([OnceCell<Database>; Datasource::ALL.len()]);

impl Elsewhere {
    /// The database of a datasource, with the prices of this program on record.
    pub(crate) async fn open(
        &self,
        parts: &Parts,
        datasource: Datasource,
    ) -> Result<&Database, Error> {
        let open = async || {
            let database = parts.open(datasource.url(&parts.settings)).await?;
            match parts.prepare(&database.ledger, &database.retention).await {
                Ok(()) => Ok(database),
                Err(error) => {
                    database.close().await;
                    Err(error)
                }
            }
        };
        let [primary, document_control, structured_control] = &self.0;
        let cell = match datasource {
            Datasource::Primary => primary,
            Datasource::DocumentControl => document_control,
            Datasource::StructuredControl => structured_control,
        };
        cell.get_or_try_init(open).await
    }

    /// The databases of all datasources but the one at this address, as sweeps ask them.
    pub(crate) fn beside(self: &Arc<Self>, parts: &Parts, url: &str) -> Vec<Beside> {
        let all = Datasource::of_each_database(&parts.settings).into_iter();
        let others = all.filter(|datasource| datasource.url(&parts.settings) != url.trim());
        let beside = |datasource: Datasource| Beside {
            name: datasource.name().to_owned(),
            retention: Arc::new(Opened {
                elsewhere: Arc::clone(self),
                parts: parts.clone(),
                datasource,
            }),
        };
        others.map(beside).collect()
    }

    pub(crate) async fn close(&self) {
        for database in self.0.iter().filter_map(OnceCell::get) {
            database.close().await;
        }
    }
}

/// A database that is opened when it is asked for the first time, and looked for again until it is there.
#[derive(Debug)]
struct Opened {
    elsewhere: Arc<Elsewhere>,
    parts: Parts,
    datasource: Datasource,
}

impl Opened {
    async fn retention(&self) -> Result<&dyn RetentionStore, StoreError> {
        let opened = self.elsewhere.open(&self.parts, self.datasource).await;
        opened.map(|database| &*database.retention).map_err(|error| match error {
            Error::Store(error) => error,
            error => StoreError::Other(error.into()),
        })
    }
}

#[async_trait]
impl RetentionStore for Opened {
    async fn database_id(&self) -> Result<DatabaseId, StoreError> {
        self.retention().await?.database_id().await
    }

    async fn ended_queues(&self) -> Result<Vec<QueueName>, StoreError> {
        self.retention().await?.ended_queues().await
    }

    async fn old_jobs(
        &self,
        old: &Old,
        after: Option<OldCursor>,
        limit: u32,
    ) -> Result<OldPage, StoreError> {
        self.retention().await?.old_jobs(old, after, limit).await
    }

    async fn prune_jobs(&self, old: &Old, limit: u32) -> Result<Pruned, StoreError> {
        self.retention().await?.prune_jobs(old, limit).await
    }

    async fn take_turn(&self, name: &'static str, every: Duration) -> Result<bool, StoreError> {
        self.retention().await?.take_turn(name, every).await
    }

    async fn held_since(&self) -> Result<Timestamp, StoreError> {
        self.retention().await?.held_since().await
    }

    async fn blob_names(&self, after: &NamesAfter, limit: u32) -> Result<NamesPage, StoreError> {
        self.retention().await?.blob_names(after, limit).await
    }
}
