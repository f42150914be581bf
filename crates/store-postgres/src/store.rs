//! The store: its connections, its lanes, and how they begin and end.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use koinon_store::{Commit, Error};
use sqlx::postgres::PgPool;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use crate::bounds::Bounds;
use crate::error::Failure;
use crate::hints::{self, Hinting};
use crate::lane;
use crate::memory::Memory;
use crate::row::{Found, Instant};
use crate::time::{SteadyTime, Time};
use crate::tx::{Query, Tx};
use crate::write::{Commits, Repeats, Submissions};
use crate::{Scaler, connect, migrate, scaler};

/// How long closing waits for connections that are in use.
const CLOSE_FOR: Duration = Duration::from_secs(5);

/// How a store behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How many connections it has, without the two that are kept for heartbeats and looks and the one that
    /// listens; at least 1.
    pub max_connections: u32,
    /// How long a caller waits for a free connection.
    pub acquire_for: Duration,
    /// How long the server may work on one statement, at the most as long as its answer is waited for; not told
    /// through a pooler.
    pub statement_for: Duration,
    /// How long the answer to one statement is waited for. Then its connection is taken for dead, which costs the
    /// pool a connection until that time and every commit behind it that time.
    pub answer_for: Duration,
    /// Whether a pooler stands between, which gives each transaction to another session: then no
    /// statement is prepared, and nothing is told to a session.
    pub pooler: bool,
    /// How processes tell one another that there is something to do.
    pub notifications: Notifications,
}

/// How processes tell one another that there is something to do.
#[derive(Clone, PartialEq, Eq, Default)]
pub enum Notifications {
    /// They do not: each finds it when it looks, once a tick.
    Off,
    /// By notifications of the database. Behind a pooler, which has no session to listen on, this process
    /// tells the others and does not hear them.
    #[default]
    On,
    /// The same, and this process hears the others at a URL that leads to the server itself.
    HeardAt(String),
}

impl fmt::Debug for Notifications {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => "Off",
            Self::On => "On",
            // The URL may have a password.
            Self::HeardAt(_) => "HeardAt(..)",
        })
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_connections: 8,
            acquire_for: Duration::from_secs(10),
            statement_for: Duration::from_secs(30),
            answer_for: Duration::from_secs(30),
            pooler: false,
            notifications: Notifications::default(),
        }
    }
}

/// The store on one Postgres database, which any number of processes share.
///
/// Cheap to clone. Its tasks end by themselves once every clone is gone; [`PostgresStore::close`] waits
/// for them.
#[derive(Debug, Clone)]
pub struct PostgresStore {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    shared: Arc<Shared>,
    commits: lane::Sender<Commits>,
    /// The commits that end their claims: they are saved by a statement of their own, which nobody else waits for.
    ends: lane::Sender<Commits>,
    submissions: lane::Sender<Submissions>,
    hinting: Arc<Hinting>,
    stop: CancellationToken,
    /// Ends the tasks that no sender keeps.
    _ends: DropGuard,
    tasks: TaskTracker,
}

/// What the verbs and the lanes work with.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) time: SteadyTime,
    pub(crate) bounds: Bounds,
    pub(crate) repeats: Repeats,
    pub(crate) memory: Arc<Memory>,
    pub(crate) pool: PgPool,
    /// Two connections that jobs cannot exhaust, so that a heartbeat does not wait for a look.
    pub(crate) reserved: PgPool,
    /// The connections on their way back to a pool.
    pub(crate) returns: TaskTracker,
}

impl PostgresStore {
    /// Opens the database that a URL names, `postgres://user@host:port/name`.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the URL names no Postgres database or the server refuses it,
    /// [`Error::Schema`] if its schema is not this program's, older or newer, [`Error::Unavailable`] if
    /// it cannot be reached.
    pub async fn open(url: &str, options: Options, time: Time) -> Result<Self, Error> {
        migrate::check(url, options.acquire_for).await?;
        let target = connect::options(url)?;
        let heard_at = match &options.notifications {
            Notifications::HeardAt(url) => Some(connect::options(url)?),
            Notifications::On if !options.pooler => Some(target.clone()),
            Notifications::On | Notifications::Off => None,
        };
        let tells = options.notifications != Notifications::Off;
        let memory = Arc::new(Memory::new(!options.pooler));
        let reserved = connect::pool(target.clone(), &options, 2, &memory);
        let pool = connect::pool(target, &options, options.max_connections, &memory);
        let shared = Arc::new(Shared {
            options,
            time: SteadyTime::new(time),
            bounds: Bounds::default(),
            repeats: Repeats::default(),
            memory,
            pool,
            reserved,
            returns: TaskTracker::new(),
        });
        // What stands in the way of every session is told now, not by the first verb.
        Tx::each(&shared, &shared.pool).await?.settle(Ok(())).await?;
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let commits = lane::start(&shared, &stop, &tasks);
        let ends = lane::start(&shared, &stop, &tasks);
        let submissions = lane::start(&shared, &stop, &tasks);
        let hinting = Arc::new(Hinting::new());
        if tells {
            let (shared, hinting) = (Arc::clone(&shared), Arc::clone(&hinting));
            tasks.spawn(hints::notify(shared, hinting, stop.clone()));
        }
        if let Some(target) = heard_at {
            tasks.spawn(hints::listen(target, Arc::clone(&hinting), stop.clone()));
        }
        tasks.close();
        let _ends = stop.clone().drop_guard();
        let inner = Inner { shared, commits, ends, submissions, hinting, stop, _ends, tasks };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Brings the database that a URL names to the schema of this program, and answers the version of the
    /// newest migration. May be called by any number of processes at once; one that is killed meanwhile
    /// leaves nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Schema`] if the schema is newer than the program, else as [`PostgresStore::open`].
    pub async fn migrate(url: &str) -> Result<i64, Error> {
        migrate::migrate(url).await
    }

    /// Installs `koinon_scaler.backlog()` in the database that a URL names: a function that shows one role
    /// what [`QueueStore::backlog`](koinon_store::QueueStore::backlog) shows, with the rights of whoever
    /// installs it. An earlier one and its grants are gone. To be called again after a migration.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the role is missing or can read anything else, or if another datasource is
    /// another physical database; else as [`PostgresStore::open`].
    pub async fn install_scaler(url: &str, scaler: &Scaler) -> Result<(), Error> {
        scaler::install(url, scaler).await
    }

    /// Finishes the commits and submissions that wait, and closes every connection. Later calls answer
    /// [`Error::Unavailable`].
    pub async fn close(&self) {
        self.inner.stop.cancel();
        self.inner.tasks.wait().await;
        let shared = self.shared();
        // A connection whose peer vanished without a word does not come back: it ends with the process.
        shared.returns.close();
        let closed = async {
            tokio::join!(shared.pool.close(), shared.reserved.close(), shared.returns.wait())
        };
        if tokio::time::timeout(CLOSE_FOR, closed).await.is_err() {
            tracing::warn!("a connection to the database does not answer and is left behind");
        }
    }

    /// The version of the newest migration that the database has.
    ///
    /// # Errors
    ///
    /// Those of [`Error`].
    pub async fn schema_version(&self) -> Result<i64, Error> {
        let shared = self.shared();
        let mut tx = Tx::each(shared, &shared.reserved).await?;
        let version = migrate::version(&mut tx).await;
        Ok(tx.settle(version).await?)
    }

    /// Where a commit waits for its transaction.
    pub(crate) fn commits(&self, commit: &Commit) -> &lane::Sender<Commits> {
        if commit.ends_claim() { &self.inner.ends } else { &self.inner.commits }
    }

    /// Where submissions wait for their statement.
    pub(crate) fn submissions(&self) -> &lane::Sender<Submissions> {
        &self.inner.submissions
    }

    /// Where hints are given and heard.
    pub(crate) fn hinting(&self) -> &Hinting {
        &self.inner.hinting
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.inner.shared
    }

    /// What a reading statement is to take as the time, if not the database's.
    pub(crate) fn given(&self) -> Option<Instant> {
        self.shared().time.given()
    }

    /// All rows of a read.
    pub(crate) async fn all(&self, query: Query<'_>) -> Result<Vec<Found>, Error> {
        Ok(self.read(&self.shared().pool, query).await?)
    }

    /// The first row of a read, if there is one.
    pub(crate) async fn first(&self, query: Query<'_>) -> Result<Option<Found>, Error> {
        Ok(self.read(&self.shared().pool, query).await?.into_iter().next())
    }

    /// The first row of a read that jobs must not delay.
    pub(crate) async fn first_at_once(&self, query: Query<'_>) -> Result<Option<Found>, Error> {
        Ok(self.read(&self.shared().reserved, query).await?.into_iter().next())
    }

    async fn read(&self, pool: &PgPool, query: Query<'_>) -> Result<Vec<Found>, Failure> {
        let mut tx = Tx::each(self.shared(), pool).await?;
        let rows = tx.all(query).await;
        tx.settle(rows).await
    }
}
