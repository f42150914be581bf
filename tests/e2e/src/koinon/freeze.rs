//! Stopping a process without ending it.

use std::path::Path;
use std::time::Duration;

use rustix::process::Signal;
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use super::{Koinon, Process};

impl Koinon {
    /// Stops a process where it is, as a machine that is put to sleep does, at an instant at which it
    /// writes nothing: a process that is stopped in a write keeps all others from the database.
    pub async fn freeze(&self, process: &Process) {
        for _ in 0..200 {
            process.signal(Signal::STOP);
            // A session that is stopped in a transaction is ended by Postgres.
            if self.place.url().is_some() || is_free(&self.database()).await {
                return;
            }
            process.signal(Signal::CONT);
            tokio::time::sleep(Duration::from_millis(7)).await;
        }
        panic!("the process writes all the time");
    }
}

async fn is_free(database: &Path) -> bool {
    let options = SqliteConnectOptions::new().filename(database).busy_timeout(Duration::ZERO);
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    let write = connection.begin_with("BEGIN IMMEDIATE").await;
    let is_free = write.is_ok();
    drop(write);
    connection.close().await.unwrap();
    is_free
}
