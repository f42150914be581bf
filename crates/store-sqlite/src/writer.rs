//! The one writer of a process: what waits together is written together.

mod call;
mod group;
mod patience;
mod request;

use std::path::PathBuf;
use std::sync::Arc;

use sqlx::{Connection as _, SqliteConnection};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::connect;
use crate::error::Failure;
use crate::steady::SteadyClock;
use crate::tx::Tx;

pub(crate) use self::call::Call;
pub(crate) use self::patience::Patience;
pub(crate) use self::request::{CommitCall, Request, SubmitCall};

use self::group::Group;

/// The task that owns the connection that writes.
#[derive(Debug)]
pub(crate) struct Writer {
    path: PathBuf,
    /// `None` after a failure that left it in an unknown state; the next group opens another.
    connection: Option<SqliteConnection>,
    patience: Patience,
    clock: Arc<SteadyClock>,
    requests: mpsc::Receiver<Request>,
    stop: CancellationToken,
}

impl Writer {
    pub(crate) const fn new(
        path: PathBuf,
        connection: SqliteConnection,
        patience: Patience,
        clock: Arc<SteadyClock>,
        requests: mpsc::Receiver<Request>,
        stop: CancellationToken,
    ) -> Self {
        Self { path, connection: Some(connection), patience, clock, requests, stop }
    }

    /// Writes until every sender is gone, or until it is told to stop and nothing waits any more.
    pub(crate) async fn run(mut self) {
        while let Some(first) = self.next().await {
            let mut group = Group::of(first);
            self.fill(&mut group);
            self.serve(group).await;
        }
        if let Some(mut connection) = self.connection.take() {
            let checkpoint = sqlx::query(include_str!("sql/wal_checkpoint.sql"));
            if let Err(error) = checkpoint.fetch_all(&mut connection).await {
                tracing::debug!(%error, "the WAL stays for the next one who opens the file");
            }
            if let Err(error) = connection.close().await {
                tracing::debug!(%error, "the connection that wrote did not close well");
            }
        }
    }

    async fn next(&mut self) -> Option<Request> {
        let stopped = self.stop.clone();
        tokio::select! {
            biased;
            request = self.requests.recv() => request,
            () = stopped.cancelled() => {
                // Nothing new is taken; what waits is still written.
                self.requests.close();
                self.requests.recv().await
            }
        }
    }

    /// Adds what waits to a group, as far as it has room; answers how many it added.
    fn fill(&mut self, group: &mut Group) -> usize {
        let mut added = 0;
        while group.has_room()
            && let Ok(request) = self.requests.try_recv()
        {
            group.add(request);
            added += 1;
        }
        added
    }

    /// Writes a group in one transaction; if one member spoils it, each in its own.
    async fn serve(&mut self, mut group: Group) {
        match Box::pin(self.together(&mut group)).await {
            Ok(()) => group.reply(),
            Err(failure) if group.is_spoilt_by_one(&failure) => {
                for mut alone in group.apart() {
                    match Box::pin(self.together(&mut alone)).await {
                        Ok(()) => alone.reply(),
                        Err(failure) => alone.fail(failure),
                    }
                }
            }
            Err(failure) => group.fail(failure),
        }
    }

    async fn together(&mut self, group: &mut Group) -> Result<(), Failure> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => connect::writer(&self.path).await?,
        };
        let done = self.transact(&mut connection, group).await;
        if done.is_ok() || rolled_back(&mut connection, &done).await {
            self.connection = Some(connection);
        }
        done
    }

    async fn transact(
        &mut self,
        connection: &mut SqliteConnection,
        group: &mut Group,
    ) -> Result<(), Failure> {
        let ahead = group.ahead();
        let mut waits = self.patience.waits();
        let mut tx = loop {
            match Tx::begin(&mut *connection, self.clock.now(), ahead.as_ref()).await {
                Ok(tx) => break tx,
                Err(failure) => Patience::wait(&mut waits, failure).await?,
            }
        };
        let began = self.clock.monotonic();
        group.run(&mut tx).await?;
        while group.takes_more(self.clock.monotonic().saturating_sub(began)) && self.fill(group) > 0
        {
            group.run(&mut tx).await?;
        }
        tx.end().await
    }
}

/// Takes back an open transaction. `false` if the connection is not to be used again, because SQLite
/// had taken the transaction back itself or cannot do it.
async fn rolled_back(connection: &mut SqliteConnection, done: &Result<(), Failure>) -> bool {
    let rollback = sqlx::query(include_str!("sql/rollback.sql"));
    let is_rolled_back = rollback.execute(connection).await.is_ok();
    // A file that was busy for too long was busy at the beginning, and then nothing was open.
    is_rolled_back || done.as_ref().is_err_and(Failure::is_busy)
}
