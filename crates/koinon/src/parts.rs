//! What an engine has besides its database.

use std::collections::BTreeMap;
use std::sync::Arc;

use koinon_artifacts::Artifacts;
use koinon_budget::Profiles;
use koinon_domain::QueueName;
use koinon_runner::{Beside, Services, Workloads};
use koinon_store::{Clock, LedgerStore, RetentionStore, RunningLimits};

use crate::Error;
use crate::database::Database;
use crate::providers::Available;
use crate::queues::Queue;
use crate::retention;
use crate::settings::Settings;

/// What an engine has besides its database.
#[derive(Debug, Clone)]
pub(crate) struct Parts {
    pub(crate) settings: Settings,
    pub(crate) artifacts: Artifacts,
    pub(crate) providers: Available,
    pub(crate) profiles: Profiles,
    pub(crate) workloads: Workloads,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Parts {
    /// Opens the database at `url`, whose other settings are those of the primary one.
    pub(crate) async fn open(&self, url: &str) -> Result<Database, Error> {
        let mut settings = self.settings.clone();
        if url != settings.database.url {
            // It leads past the pooler of the primary one.
            settings.store.postgres.listen_url = None;
        }
        url.clone_into(&mut settings.database.url);
        Database::open(&settings, Arc::clone(&self.clock)).await
    }

    /// What a worker on this database, with others beside it, works with.
    pub(crate) fn services(&self, database: &Database, beside: Vec<Beside>) -> Services {
        Services {
            jobs: Arc::clone(&database.jobs),
            leases: Arc::clone(&database.leases),
            ledger: Arc::clone(&database.ledger),
            workers: Arc::clone(&database.workers),
            schedules: Arc::clone(&database.schedules),
            retention: Arc::clone(&database.retention),
            beside,
            keep: Arc::new(retention::kept(&self.settings)),
            artifacts: self.artifacts.clone(),
            providers: self.providers.providers.clone(),
            profiles: self.profiles.clone(),
            workloads: self.workloads.clone(),
            running_limits: Arc::new(running_limits(&self.settings)),
            clock: Arc::clone(&self.clock),
        }
    }

    /// What comes before the first job: keeps the prices for the record, since the ledger will name them, and
    /// notes in the artifact store that rows of this database may name its blobs.
    pub(crate) async fn prepare(
        &self,
        ledger: &Arc<dyn LedgerStore>,
        retention: &Arc<dyn RetentionStore>,
    ) -> Result<(), Error> {
        for profile in self.profiles.all() {
            ledger.keep_profile(profile).await?;
        }
        Ok(self.artifacts.note_database(retention.database_id().await?).await?)
    }
}

/// The limits of every queue that has one. The settings were checked, so all names are queues.
fn running_limits(settings: &Settings) -> BTreeMap<QueueName, RunningLimits> {
    let names = settings.queues.keys().filter_map(|name| QueueName::try_new(name).ok());
    let queues = names.map(|name| Queue::of(name, settings));
    let limited = queues.filter(|queue| !queue.limits.is_none());
    limited.map(|queue| (queue.name, queue.limits)).collect()
}
