//! What waits and runs in the queues, for whoever decides how many workers there should be.

mod prometheus;
mod source;

use std::sync::Arc;

use koinon_domain::{ErrorCode, QueueName};
use koinon_store::{QueueBacklog, QueueStore};

use crate::database::Database;
use crate::queues::{Datasource, Queue};
use crate::settings::Settings;
use crate::{Error, Koinon};

use self::source::Source;

/// Looks at the queues of every datasource.
///
/// Beside a [`Koinon`] it shares the database that is open; [opened](Self::open) alone it needs neither
/// workloads nor providers nor artifacts. A datasource that cannot be reached is looked for again at each
/// look.
#[derive(Debug)]
pub struct WorkerBacklog {
    settings: Settings,
    sources: Vec<Source>,
}

/// The backlog of every queue at one moment. It has no id, no input and no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BacklogSnapshot {
    /// How many jobs one worker process runs at once, over all queues.
    pub process_capacity: u32,
    /// What each datasource says.
    pub datasources: Vec<DatasourceBacklog>,
}

/// The backlog of the queues of one datasource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatasourceBacklog {
    /// The datasource; of several that are one database, the first.
    pub datasource: Datasource,
    /// Its queues by name, if it could be asked.
    pub queues: Availability,
}

/// Whether a datasource could be asked. One that could not has no queues at all, because a queue without
/// jobs would be something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    /// It answered.
    Available(Vec<QueueDemand>),
    /// It could not be reached, or did not answer in time.
    Unavailable {
        /// The stable code.
        code: ErrorCode,
    },
}

/// A queue, and how much of it one worker process can take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueDemand {
    /// How many jobs stand where.
    pub backlog: QueueBacklog,
    /// How many jobs of this queue one worker process runs at once.
    pub per_replica_capacity: u32,
}

impl QueueDemand {
    /// The work that wants a worker: what is ready and what is running, together.
    #[must_use]
    pub const fn demand(&self) -> u32 {
        self.backlog.ready + self.backlog.active
    }
}

impl WorkerBacklog {
    /// Looks by itself at the databases that the settings name. Nothing is opened before the first look, so
    /// this succeeds while they are down. The queues that are built in, those of the settings and `more` are
    /// shown even if they have no jobs.
    ///
    /// # Errors
    ///
    /// [`Error::Settings`] if the settings are wrong.
    pub fn open(settings: Settings, more: Vec<QueueName>) -> Result<Self, Error> {
        settings.check()?;
        let queues = known_queues(&settings, more)?;
        let sources = Source::all(&settings, &queues);
        Ok(Self { settings, sources })
    }

    /// The backlog now. It reads, and takes no lock.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] or [`Error::Database`] for what waiting does not cure, such as another schema. A
    /// datasource that cannot be reached is no error.
    ///
    /// # Cancel safety
    ///
    /// May be dropped at any time.
    pub async fn snapshot(&self) -> Result<BacklogSnapshot, Error> {
        let looks = self.sources.iter().map(|source| source.look(&self.settings));
        let looks = futures::future::join_all(looks).await;
        let datasources = looks.into_iter().collect::<Result<_, _>>()?;
        let process_capacity = self.settings.operations.admission.worker_capacity;
        Ok(BacklogSnapshot { process_capacity, datasources })
    }

    /// Closes what it has opened itself.
    pub async fn close(self) {
        for source in &self.sources {
            source.close().await;
        }
    }
}

impl Koinon {
    /// What waits and runs in the queues that are built in, in those of its workloads, and in every other
    /// that has a job.
    ///
    /// # Errors
    ///
    /// [`Error::Name`] if the name of a kind cannot be that of a queue.
    pub fn backlog(&self) -> Result<WorkerBacklog, Error> {
        let names = self.workloads().queues().into_iter().map(QueueName::try_new);
        let mut backlog =
            WorkerBacklog::open(self.settings().clone(), names.collect::<Result<_, _>>()?)?;
        if let Some(primary) = backlog.sources.first_mut() {
            primary.share(self.queues());
        }
        Ok(backlog)
    }

    /// Installs `koinon_scaler.backlog()` in the Postgres database that the settings name, and lets one role
    /// execute it: an autoscaler then sees the [backlog](Self::backlog) and nothing else.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] if the database is not Postgres, if the role is missing or can read anything else, or
    /// if a datasource is another physical database.
    pub async fn install_scaler(settings: &Settings, role: &str) -> Result<(), Error> {
        settings.check()?;
        let queues = known_queues(settings, Vec::new())?;
        let others =
            Datasource::ALL.map(|one| (one.name().to_owned(), one.url(settings).to_owned()));
        Database::install_scaler(settings, role, &queues, others.into()).await
    }
}

/// The backlog of the databases that a process works on, each named by its address, with its store if it is
/// open. What cannot be looked at is unavailable, whatever the reason.
pub(crate) async fn of_open(
    settings: &Settings,
    queues: Vec<Queue>,
    databases: &[(&str, Option<&Arc<dyn QueueStore>>)],
) -> BacklogSnapshot {
    let sources = Source::all(settings, &by_name(queues));
    let looks = sources.into_iter().filter_map(|mut source| {
        let (_, store) = databases.iter().find(|(url, _)| *url == source.url(settings))?;
        Some(async move {
            match store {
                None => source.missing(),
                Some(store) => {
                    source.share(store);
                    let looked = source.look(settings).await;
                    looked.unwrap_or_else(|error| source.unavailable(&error))
                }
            }
        })
    });
    let datasources = futures::future::join_all(looks).await;
    let process_capacity = settings.operations.admission.worker_capacity;
    BacklogSnapshot { process_capacity, datasources }
}

/// Every queue that is shown even if it is empty, by name.
fn known_queues(settings: &Settings, more: Vec<QueueName>) -> Result<Vec<Queue>, Error> {
    let mut queues = Queue::built_in(settings);
    let named = settings.queues.keys().map(QueueName::try_new);
    for name in named.collect::<Result<Vec<_>, _>>()?.into_iter().chain(more) {
        queues.push(Queue::of(name, settings));
    }
    Ok(by_name(queues))
}

fn by_name(mut queues: Vec<Queue>) -> Vec<Queue> {
    queues.sort_by(|a, b| a.name.cmp(&b.name));
    queues.dedup_by(|a, b| a.name == b.name);
    queues
}

impl BacklogSnapshot {
    /// Whether every datasource answered.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let is_available =
            |one: &DatasourceBacklog| matches!(one.queues, Availability::Available(_));
        self.datasources.iter().all(is_available)
    }

    /// The gauges of the backlog in the text format of Prometheus. A datasource that is unavailable has
    /// `koinon_datasource_available 0` and no other series.
    #[must_use]
    pub fn prometheus(&self) -> String {
        prometheus::text(self)
    }
}
