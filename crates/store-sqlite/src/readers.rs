//! The connections that read.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use koinon_store::Error;
use rusqlite::Connection;
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

use crate::error::{self, Failure};
use crate::{connect, migrate};

/// A few connections that cannot write. Each read has one for itself, on a thread where it may wait.
#[derive(Debug)]
pub(crate) struct Readers {
    shelf: Arc<Shelf>,
    /// One for each connection that there may be.
    places: Arc<Semaphore>,
    count: u32,
    /// How long a read waits for a connection.
    wait_for: Duration,
    tasks: TaskTracker,
}

/// The connections that nobody uses now; others are opened where there is none.
#[derive(Debug)]
struct Shelf {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// At most `count` connections to a file; `tasks` are waited for by whoever closes the store.
    pub(crate) fn new(path: PathBuf, count: u32, wait_for: Duration, tasks: TaskTracker) -> Self {
        let count = count.max(1);
        let places = Arc::new(Semaphore::new(usize::try_from(count).unwrap_or(1)));
        let shelf = Arc::new(Shelf { path, idle: Mutex::default() });
        Self { shelf, places, count, wait_for, tasks }
    }

    /// Reads with a connection.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Error> {
        let place = tokio::time::timeout(self.wait_for, Arc::clone(&self.places).acquire_owned());
        let place = place.await.map_err(|late| Error::Unavailable(late.into()))?;
        let place = place.map_err(|_| error::closed())?;
        let shelf = Arc::clone(&self.shelf);
        let reading = self.tasks.spawn_blocking(move || {
            let connection = shelf.take()?;
            let answer = read(&connection);
            shelf.put(connection);
            drop(place);
            answer
        });
        let answer = reading.await.map_err(|error| Error::Other(error.into()))?;
        Ok(answer?)
    }

    /// The version of the newest migration that the file has.
    pub(crate) async fn schema_version(&self) -> Result<i64, Error> {
        let rows = self.read(|connection| Ok(migrate::listed().all(connection)?)).await?;
        Ok(migrate::version(&migrate::applied(&rows)?))
    }

    /// Waits for the reads that are under way and closes every connection. Later reads are refused.
    pub(crate) async fn close(&self) {
        let all = self.places.acquire_many(self.count).await;
        self.places.close();
        self.shelf.idle().clear();
        drop(all);
    }
}

impl Shelf {
    fn take(&self) -> Result<Connection, Failure> {
        let idle = self.idle().pop();
        idle.map_or_else(|| connect::reader(&self.path), Ok)
    }

    fn put(&self, connection: Connection) {
        self.idle().push(connection);
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
