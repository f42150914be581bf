//! The store: its writer, its readers, and how they begin and end.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use koinon_domain::Timestamp;
use koinon_store::{Clock, Error, Hint, HintSender, Hints};
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use crate::error::{self, Failure};
use crate::readers::Readers;
use crate::statement::Query;
use crate::steady::SteadyClock;
use crate::values::Row;
use crate::writer::{Call, Letter, Patience, Request, Writer};
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
    inbox: mpsc::Sender<Letter>,
    readers: Readers,
    clock: Arc<SteadyClock>,
    /// Other processes are not told: they look once a tick.
    hints: HintSender,
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
        let tasks = TaskTracker::new();
        let (file, patience) = (path.clone(), Patience::new(options.busy_for));
        let opening = tasks.spawn_blocking(move || opened(&file, patience));
        let connection = opening.await.map_err(|error| Error::Other(error.into()))??;
        let (inbox, letters) = mpsc::channel(INBOX);
        let clock = Arc::new(SteadyClock::new(clock));
        let writer = Writer::new(path.clone(), connection, patience, Arc::clone(&clock), letters);
        begin(writer, &tasks)?;
        tasks.close();
        let readers = Readers::new(path, options.readers, options.busy_for, tasks.clone());
        let hints = HintSender::new();
        Ok(Self { inner: Arc::new(Inner { inbox, readers, clock, hints, tasks }) })
    }

    /// Finishes the writes that wait, empties the WAL into the file, and closes every connection.
    /// Later calls answer [`Error::Unavailable`].
    pub async fn close(&self) {
        self.inner.readers.close().await;
        // It may have been told before.
        let _told = self.inner.inbox.send(Letter::Close).await;
        self.inner.tasks.wait().await;
    }

    /// The version of the newest migration that the file has.
    ///
    /// # Errors
    ///
    /// Those of [`Error`].
    pub async fn schema_version(&self) -> Result<i64, Error> {
        self.inner.readers.schema_version().await
    }

    /// Asks the writer, and waits for its answer.
    pub(crate) async fn write<Q, A>(
        &self,
        of: fn(Call<Q, A>) -> Request,
        request: Q,
    ) -> Result<A, Error> {
        let (reply, answer) = oneshot::channel();
        let letter = Letter::Write(of(Call::new(request, reply)));
        let sent = self.inner.inbox.send(letter).await;
        sent.map_err(|_| error::closed())?;
        answer.await.map_err(|_| error::closed())?.answer
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
    pub(crate) async fn all(&self, query: Query<'static>) -> Result<Vec<Row>, Error> {
        self.inner.readers.read(move |connection| Ok(query.all(connection)?)).await
    }

    /// The first row of a read, if there is one.
    pub(crate) async fn first(&self, query: Query<'static>) -> Result<Option<Row>, Error> {
        self.inner.readers.read(move |connection| Ok(query.first(connection)?)).await
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }
}

/// The connection that writes, on a file of this program's schema.
fn opened(path: &Path, patience: Patience) -> Result<Connection, Failure> {
    connect::make_folder(path)?;
    let mut waits = patience.waits();
    loop {
        match try_opened(path) {
            Ok(connection) => return Ok(connection),
            Err(failure) => Patience::wait(&mut waits, failure)?,
        }
    }
}

fn try_opened(path: &Path) -> Result<Connection, Failure> {
    let connection = connect::writer(path)?;
    migrate::migrate(&connection)?;
    // A file on which reading fails is refused now, and not at the first read.
    connect::reader(path)?;
    Ok(connection)
}

/// Starts the thread that writes; whoever waits for the tasks waits for it.
fn begin(writer: Writer, tasks: &TaskTracker) -> Result<(), Error> {
    let running = tasks.token();
    let thread = std::thread::Builder::new().name("koinon-sqlite".to_owned());
    let begun = thread.spawn(move || {
        writer.run();
        drop(running);
    });
    begun.map(drop).map_err(|error| Error::Other(error.into()))
}
