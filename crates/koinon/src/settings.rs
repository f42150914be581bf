//! The configuration: defaults, then `koinon.toml`, then the environment, then flags.
//!
//! Every value has a key, such as `operations.lease_for`. In the environment it is
//! `KOINON_OPERATIONS__LEASE_FOR`: the prefix, and two underscores between the levels. Lengths of time
//! are written as `500ms`, `2s`, `1m` or `1h`.

mod check;
mod duration;
mod error;
mod field;
mod flags;
mod key;
mod layer;
mod load;
mod log_filter;
mod nearest;
mod origin;
mod secret;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

pub use error::Error;
pub use flags::Flags;
pub use koinon_runner::OnInDoubt;
pub use log_filter::log_filter;
pub use origin::{Loaded, Origin};

/// Everything that can be configured.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// The database.
    pub database: Database,
    /// Databases of their own for some queues.
    pub datasources: Datasources,
    /// Where artifacts are.
    pub artifacts: ArtifactsSettings,
    /// Which bulk work is let in.
    pub knowledge: Knowledge,
    /// How work is done.
    pub operations: Operations,
    /// Limits of queues, by name.
    pub queues: BTreeMap<String, Queue>,
    /// What only workers have.
    pub worker: WorkerSettings,
    /// How long what has ended is kept.
    pub retention: RetentionSettings,
    /// How the store behaves.
    pub store: StoreSettings,
    /// Model providers, by name, besides the offline one, which is always there.
    pub providers: BTreeMap<String, ProviderSettings>,
}

/// The database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Database {
    /// Its address: `postgres://user@host:port/name`, `sqlite://relative/path` or `sqlite:///absolute/path`.
    pub url: String,
    /// How many connections there are, 1 to 256, without the one that writes on SQLite, and on Postgres
    /// without the two that are kept for heartbeats and looks and the one that listens.
    pub max_connections: u32,
    /// Whether processes tell one another of new work and of requests to stop, where the database can do
    /// that. SQLite cannot: there, looking once a second finds it, in another process.
    pub notifications: bool,
}

/// Databases of their own for some queues. Everything but the address is as for the primary one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Datasources {
    /// Where documents are taken in.
    pub document_control: Datasource,
    /// Where structured data is taken in.
    pub structured_control: Datasource,
}

/// A database that holds some of the queues.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Datasource {
    /// Its address, as that of [`Database::url`], which it is unless it is set.
    pub url: Option<String>,
}

/// Which bulk work is let in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Knowledge {
    /// Whether workers take from the queue `bulk_intake`.
    pub bulk_worker_enabled: bool,
    /// Whether workers take from the queue `bulk_query`.
    pub bulk_query_worker_enabled: bool,
}

/// Where artifacts are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactsSettings {
    /// The address: `file://relative/path`, `file:///absolute/path`, or `memory://`.
    pub url: String,
}

/// How work is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operations {
    /// How long a lease lasts, 1 s to 1 h.
    pub lease_for: Duration,
    /// How long a drain lets work go on, at most 1 h.
    pub drain_for: Duration,
    /// How long work that was told to stop may finish what is under way, at most 1 h.
    pub flush_for: Duration,
    /// The deadline of one provider call, 1 s to 24 h.
    pub call_for: Duration,
    /// The deadline of one stage, 1 s to 168 h; none unless it is set.
    pub stage_for: Option<Duration>,
    /// How many claims of a job may be charged, 1 to 100.
    pub max_attempts: u32,
    /// How many conversations run at once, 1 to 16.
    pub worker_concurrency: u32,
    /// What happens when the outcome of a call is unknown.
    pub on_in_doubt: OnInDoubt,
    /// How much work a process lets in.
    pub admission: Admission,
}

/// How much work a process lets in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admission {
    /// How many jobs a worker runs at once, 1 to 1024.
    pub worker_capacity: u32,
    /// How many model-bound calls of an API run at once, 1 to 1024.
    pub api_capacity: u32,
    /// How many callbacks are delivered at once, 1 to 1024.
    pub callback_capacity: u32,
    /// How many callers wait for a permit, at most 65,535.
    pub max_waiters: u32,
    /// How long each of them waits, at most 1 h; with zero nobody waits.
    pub wait_timeout: Duration,
}

/// The limits of a queue.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Queue {
    /// How many of its jobs run at once, 1 to 1,000,000; no limit unless it is set.
    pub running: Option<u32>,
    /// The same for the jobs of one tenant.
    pub running_per_tenant: Option<u32>,
    /// How long its jobs are kept; what is not set is as in the default.
    pub retention: KeepSettings,
}

/// How long what has ended is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetentionSettings {
    /// For queues that have nothing of their own.
    pub default: KeepSettings,
    /// How long a blob is kept that no row names, 1 h to 87,600 h; for ever unless it is set. A blob is stored
    /// before the row that names it, so a shorter time could take one away that is just about to be named.
    pub orphans_for: Option<Duration>,
    /// The time between two sweeps, 1 s to 168 h.
    pub every: Duration,
}

/// How long jobs that have ended are kept, 1 s to 87,600 h each; for ever unless it is set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeepSettings {
    /// Jobs that succeeded.
    pub succeeded_for: Option<Duration>,
    /// Jobs that failed.
    pub failed_for: Option<Duration>,
    /// Jobs that were cancelled.
    pub cancelled_for: Option<Duration>,
}

/// What only workers have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkerSettings {
    /// Where a worker tells of its health and its metrics; nowhere unless it is set.
    pub listen: Option<SocketAddr>,
}

/// How the store behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreSettings {
    /// How long a write waits for other processes that write to the same SQLite file, and any verb for a
    /// free connection to Postgres, 100 ms to 1 h.
    pub busy_for: Duration,
    /// What only Postgres has.
    pub postgres: PostgresSettings,
}

/// What only Postgres has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PostgresSettings {
    /// Whether a pooler stands between that gives each transaction to another session. Then this process
    /// does not hear the others, unless `listen_url` is set.
    pub pooler: bool,
    /// Where this process listens, if not at `database.url`: an address of the same database that leads past
    /// the pooler. Databases beside the primary one have none.
    pub listen_url: Option<String>,
}

/// A model provider.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProviderSettings {
    /// What it speaks.
    pub kind: ProviderKind,
    /// The server's address up to and with the version, such as `http://127.0.0.1:9000/v1`.
    pub base_url: Option<String>,
    /// The environment variable that holds the key, in capital letters; `OPENAI_API_KEY` for the
    /// provider `openai` unless it is set.
    pub api_key_env: Option<String>,
}

/// What a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ProviderKind {
    /// OpenAI's chat completions.
    #[default]
    OpenAi,
}

impl Default for Database {
    fn default() -> Self {
        let url = "sqlite://.koinon/koinon.db".to_owned();
        Self { url, max_connections: 4, notifications: true }
    }
}

impl Default for ArtifactsSettings {
    fn default() -> Self {
        Self { url: "file://.koinon/artifacts".to_owned() }
    }
}

impl Default for Operations {
    fn default() -> Self {
        Self {
            lease_for: Duration::from_mins(1),
            drain_for: Duration::from_secs(25),
            flush_for: Duration::from_secs(5),
            call_for: Duration::from_mins(10),
            stage_for: None,
            max_attempts: 3,
            worker_concurrency: 4,
            on_in_doubt: OnInDoubt::Retry,
            admission: Admission::default(),
        }
    }
}

impl Default for RetentionSettings {
    fn default() -> Self {
        let every = Duration::from_hours(24);
        Self { default: KeepSettings::default(), orphans_for: None, every }
    }
}

impl Default for Admission {
    fn default() -> Self {
        Self {
            worker_capacity: 1,
            api_capacity: 1,
            callback_capacity: 1,
            max_waiters: 64,
            wait_timeout: Duration::from_secs(30),
        }
    }
}

impl Default for StoreSettings {
    fn default() -> Self {
        Self { busy_for: Duration::from_secs(10), postgres: PostgresSettings::default() }
    }
}

#[cfg(test)]
mod tests;
