//! The store: its writer, its readers, and how they begin and end.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use koinon_domain::Timestamp;
use koinon_store::{Clock, Error, Hint, HintSender, Hints};
use sqlx::sqlite::SqliteRow;
use sqlx::{SqliteConnection, SqlitePool};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::error::{self, Failure};
use crate::steady::SteadyClock;
use crate::tx::Query;
use crate::writer::{Call, Patience, Request, Writer};
use crate::{connect, migrate};

/// How many requests wait for the writer before callers wait themselves.
const INBOX: usize = 1024;

/// How a store behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How long a write waits for other processes that write to the same file.
    pub busy_for: Duration,
    /// How many connections read.
    pub readers: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { busy_for: Duration::from_secs(10), readers: 4 }
    }
}

/// The store on one SQLite file, which other processes of the same host may share.
///
/// Cheap to clone. The writer ends by itself once every clone is gone; [`SqliteStore::close`] waits
/// for it.
#[derive(Debug, Clone)]
pub struct SqliteStore {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    inbox: mpsc::Sender<Request>,
    readers: SqlitePool,
    clock: Arc<SteadyClock>,
    /// Other processes are not told: they look once a tick.
    hints: HintSender,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl SqliteStore {
    /// Opens the file that a URL names, `sqlite://relative/path` or `sqlite:///absolute/path`; makes it
    /// and its folder if they are missing, and brings an older schema to this program's.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the URL names no file, [`Error::Schema`] if the file's schema is newer than
    /// the program, [`Error::Corrupt`] if the file is no database, [`Error::Unavailable`] if others
    /// kept it locked for `busy_for`.
    pub async fn open(url: &str, options: Options, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        let path = connect::path(url)?;
        connect::make_folder(&path).await?;
        let patience = Patience::new(options.busy_for);
        let (connection, readers) = connections(&path, &options, patience).await?;
        let (inbox, requests) = mpsc::channel(INBOX);
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let clock = Arc::new(SteadyClock::new(clock));
        let writer =
            Writer::new(path, connection, patience, Arc::clone(&clock), requests, stop.clone());
        tasks.spawn(writer.run());
        tasks.close();
        let hints = HintSender::new();
        Ok(Self { inner: Arc::new(Inner { inbox, readers, clock, hints, stop, tasks }) })
    }

    /// Finishes the writes that wait, empties the WAL into the file, and closes every connection.
    /// Later calls answer [`Error::Unavailable`].
    pub async fn close(&self) {
        self.inner.readers.close().await;
        self.inner.stop.cancel();
        self.inner.tasks.wait().await;
    }

    /// The version of the newest migration that the file has.
    ///
    /// # Errors
    ///
    /// Those of [`Error`].
    pub async fn schema_version(&self) -> Result<i64, Error> {
        let applied = migrate::applied(&self.inner.readers).await.map_err(error::of)?;
        Ok(migrate::version(&applied))
    }

    /// Asks the writer, and waits for its answer.
    pub(crate) async fn write<Q, A>(
        &self,
        of: fn(Call<Q, A>) -> Request,
        request: Q,
    ) -> Result<A, Error> {
        let (reply, answer) = oneshot::channel();
        let sent = self.inner.inbox.send(of(Call::new(request, reply))).await;
        sent.map_err(|_| error::closed())?;
        answer.await.map_err(|_| error::closed())?
    }

    /// Tells the workers of this process.
    pub(crate) fn hint(&self, hint: Option<Hint>) {
        if let Some(hint) = hint {
            self.inner.hints.send(hint);
        }
    }

    pub(crate) fn hints_here(&self) -> Hints {
        self.inner.hints.hints()
    }

    /// All rows of a read.
    pub(crate) async fn all(&self, query: Query<'_>) -> Result<Vec<SqliteRow>, Error> {
        query.fetch_all(&self.inner.readers).await.map_err(error::of)
    }

    /// The first row of a read, if there is one.
    pub(crate) async fn first(&self, query: Query<'_>) -> Result<Option<SqliteRow>, Error> {
        query.fetch_optional(&self.inner.readers).await.map_err(error::of)
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }
}

/// The connection that writes, on a file of this program's schema, and those that read.
async fn connections(
    path: &Path,
    options: &Options,
    patience: Patience,
) -> Result<(SqliteConnection, SqlitePool), Failure> {
    let mut waits = patience.waits();
    loop {
        match try_connections(path, options).await {
            Ok(connections) => return Ok(connections),
            Err(failure) => Patience::wait(&mut waits, failure).await?,
        }
    }
}

async fn try_connections(
    path: &Path,
    options: &Options,
) -> Result<(SqliteConnection, SqlitePool), Failure> {
    let mut connection = connect::writer(path).await?;
    migrate::migrate(&mut connection).await?;
    let readers = connect::readers(path, options.readers, options.busy_for).await?;
    Ok((connection, readers))
}
