//! From the database's address to its store. The only place that names the adapters.

use std::sync::Arc;
use std::time::Duration;

use koinon_store::{
    Clock, JobStore, LeaseStore, LedgerStore, QueueStore, RetentionStore, ScheduleStore,
    WorkerStore,
};
use koinon_store_postgres::{Notifications, PostgresStore, ScaledQueue, Scaler, Time};
use koinon_store_sqlite::SqliteStore;

use crate::Error;
use crate::queues::Queue;
use crate::settings::Settings;

/// A server that has much to do may well take this long.
const ANSWER_FOR_MIN: Duration = Duration::from_secs(2);

/// An open store, as each of its ports and as what can be closed.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) jobs: Arc<dyn JobStore>,
    pub(crate) leases: Arc<dyn LeaseStore>,
    pub(crate) ledger: Arc<dyn LedgerStore>,
    pub(crate) queues: Arc<dyn QueueStore>,
    pub(crate) workers: Arc<dyn WorkerStore>,
    pub(crate) schedules: Arc<dyn ScheduleStore>,
    pub(crate) retention: Arc<dyn RetentionStore>,
    store: Store,
}

#[derive(Debug)]
enum Store {
    Sqlite(SqliteStore),
    Postgres(PostgresStore),
}

/// The adapter that an address is for.
enum Adapter {
    Sqlite,
    Postgres,
}

impl Adapter {
    fn of(url: &str) -> Result<Self, Error> {
        let reason = match url.split_once(':') {
            Some(("sqlite", _)) => return Ok(Self::Sqlite),
            Some(("postgres" | "postgresql", _)) => return Ok(Self::Postgres),
            Some((scheme, _)) if is_scheme(scheme) => {
                format!("there is no store for the scheme {scheme}")
            }
            _ => "it is not a URL".to_owned(),
        };
        Err(Error::Database { reason })
    }
}

impl Database {
    /// Opens the database. A SQLite file is made and migrated where that is missing; Postgres is refused
    /// then.
    pub(crate) async fn open(settings: &Settings, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        let url = settings.database.url.trim();
        Ok(match Adapter::of(url)? {
            Adapter::Sqlite => {
                let options = koinon_store_sqlite::Options {
                    busy_for: settings.store.busy_for,
                    readers: settings.database.max_connections,
                };
                let store = SqliteStore::open(url, options, clock).await?;
                Self::of(store.clone(), Store::Sqlite(store))
            }
            Adapter::Postgres => {
                let options = koinon_store_postgres::Options {
                    max_connections: settings.database.max_connections,
                    acquire_for: settings.store.busy_for,
                    answer_for: answer_for(settings.operations.lease_for),
                    pooler: settings.store.postgres.pooler,
                    notifications: notifications(settings),
                    ..koinon_store_postgres::Options::default()
                };
                let store = PostgresStore::open(url, options, Time::Database).await?;
                Self::of(store.clone(), Store::Postgres(store))
            }
        })
    }

    fn of<S>(ports: S, store: Store) -> Self
    where
        S: JobStore
            + LeaseStore
            + LedgerStore
            + QueueStore
            + WorkerStore
            + ScheduleStore
            + RetentionStore
            + Clone
            + 'static,
    {
        Self {
            jobs: Arc::new(ports.clone()),
            leases: Arc::new(ports.clone()),
            ledger: Arc::new(ports.clone()),
            queues: Arc::new(ports.clone()),
            workers: Arc::new(ports.clone()),
            schedules: Arc::new(ports.clone()),
            retention: Arc::new(ports),
            store,
        }
    }

    /// Brings the database to the schema of this program, and answers the version of the newest migration.
    pub(crate) async fn migrate(settings: &Settings, clock: Arc<dyn Clock>) -> Result<i64, Error> {
        let url = settings.database.url.trim();
        match Adapter::of(url)? {
            Adapter::Postgres => Ok(PostgresStore::migrate(url).await?),
            Adapter::Sqlite => {
                let database = Self::open(settings, clock).await?;
                let version = database.schema_version().await;
                database.close().await;
                version
            }
        }
    }

    /// Lets one role of a Postgres database see the backlog of `queues` and of all others. `datasources` must
    /// be the same physical database.
    pub(crate) async fn install_scaler(
        settings: &Settings,
        role: &str,
        queues: &[Queue],
        datasources: Vec<(String, String)>,
    ) -> Result<(), Error> {
        let url = settings.database.url.trim();
        match Adapter::of(url)? {
            Adapter::Postgres => {
                let scaled = |queue: &Queue| ScaledQueue {
                    name: queue.name.clone(),
                    per_replica_capacity: queue.per_replica_capacity,
                    limits: queue.limits,
                };
                let scaler = Scaler {
                    role: role.to_owned(),
                    process_capacity: settings.operations.admission.worker_capacity,
                    queues: queues.iter().map(scaled).collect(),
                    datasources,
                };
                Ok(PostgresStore::install_scaler(url, &scaler).await?)
            }
            Adapter::Sqlite => {
                let says = "a scaler reads from Postgres, and this database is a file of SQLite";
                Err(koinon_store::Error::Invalid(says.to_owned()).into())
            }
        }
    }

    /// The version of the newest migration that the database has.
    pub(crate) async fn schema_version(&self) -> Result<i64, Error> {
        Ok(match &self.store {
            Store::Sqlite(store) => store.schema_version().await?,
            Store::Postgres(store) => store.schema_version().await?,
        })
    }

    pub(crate) async fn close(&self) {
        match &self.store {
            Store::Sqlite(store) => store.close().await,
            Store::Postgres(store) => store.close().await,
        }
    }
}

/// How long the answer of a Postgres is waited for. A connection that died without a word holds up whoever uses it
/// for so long, and those behind it. A lease has to outlive a heartbeat that is held up, and the next one.
fn answer_for(lease_for: Duration) -> Duration {
    let longest = koinon_store_postgres::Options::default().answer_for;
    (lease_for / 4).clamp(ANSWER_FOR_MIN, longest)
}

fn notifications(settings: &Settings) -> Notifications {
    match &settings.store.postgres.listen_url {
        _ if !settings.database.notifications => Notifications::Off,
        Some(url) => Notifications::HeardAt(url.trim().to_owned()),
        None => Notifications::On,
    }
}

/// Whether it can be shown: what stands before a colon may also be a part of a secret.
fn is_scheme(text: &str) -> bool {
    !text.is_empty() && text.len() <= 12 && text.bytes().all(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests;
