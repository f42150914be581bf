//! The one writer of a process: what waits together is written together.

mod call;
mod group;
mod patience;
mod request;

use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::Connection;
use tokio::sync::mpsc;

use crate::connect;
use crate::error::Failure;
use crate::memory::Memory;
use crate::statement::query;
use crate::steady::SteadyClock;
use crate::tx::Tx;

pub(crate) use self::call::Call;
pub(crate) use self::patience::Patience;
pub(crate) use self::request::{CommitCall, Request, SubmitCall};

use self::group::Group;

/// What reaches the writer.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a box would be freed by another thread than took it"
)]
pub(crate) enum Letter {
    Write(Request),
    /// Nothing new is taken; what waits is still written.
    Close,
}

/// The owner of the connection that writes, on a thread of its own.
#[derive(Debug)]
pub(crate) struct Writer {
    path: PathBuf,
    /// `None` after a failure that left it in an unknown state; the next group opens another.
    connection: Option<Connection>,
    memory: Memory,
    patience: Patience,
    clock: Arc<SteadyClock>,
    inbox: mpsc::Receiver<Letter>,
}

impl Writer {
    pub(crate) fn new(
        path: PathBuf,
        connection: Connection,
        patience: Patience,
        clock: Arc<SteadyClock>,
        inbox: mpsc::Receiver<Letter>,
    ) -> Self {
        let memory = Memory::default();
        Self { path, connection: Some(connection), memory, patience, clock, inbox }
    }

    /// Writes until every sender is gone, or until it is told to close and nothing waits any more.
    pub(crate) fn run(mut self) {
        while let Some(first) = self.next() {
            let mut group = Group::of(first);
            self.fill(&mut group);
            self.serve(group);
        }
        if let Some(connection) = self.connection.take() {
            let checkpoint = query(include_str!("sql/wal_checkpoint.sql"));
            if let Err(error) = checkpoint.all(&connection) {
                tracing::debug!(%error, "the WAL stays for the next one who opens the file");
            }
            if let Err((_, error)) = connection.close() {
                tracing::debug!(%error, "the connection that wrote did not close well");
            }
        }
    }

    fn next(&mut self) -> Option<Request> {
        loop {
            match self.inbox.blocking_recv()? {
                Letter::Write(request) => return Some(request),
                Letter::Close => self.inbox.close(),
            }
        }
    }

    /// Adds what waits to a group, as far as it has room; answers how many it added.
    fn fill(&mut self, group: &mut Group) -> usize {
        let mut added = 0;
        while group.has_room()
            && let Ok(letter) = self.inbox.try_recv()
        {
            match letter {
                Letter::Write(request) => {
                    group.add(request);
                    added += 1;
                }
                Letter::Close => self.inbox.close(),
            }
        }
        added
    }

    /// Writes a group in one transaction; if one member spoils it, each in its own.
    fn serve(&mut self, mut group: Group) {
        match self.together(&mut group) {
            Ok(()) => group.reply(),
            Err(failure) if group.is_spoilt_by_one(&failure) => {
                for mut alone in group.apart() {
                    match self.together(&mut alone) {
                        Ok(()) => alone.reply(),
                        Err(failure) => alone.fail(failure),
                    }
                }
            }
            Err(failure) => group.fail(failure),
        }
    }

    fn together(&mut self, group: &mut Group) -> Result<(), Failure> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => connect::writer(&self.path)?,
        };
        // A transaction that fails takes it along: what it says was not written then.
        let mut memory = std::mem::take(&mut self.memory);
        let done = self.transact(&connection, &mut memory, group);
        if done.is_ok() {
            self.memory = memory;
        }
        if done.is_ok() || rolled_back(&connection, &done) {
            self.connection = Some(connection);
        }
        done
    }

    fn transact(
        &mut self,
        connection: &Connection,
        memory: &mut Memory,
        group: &mut Group,
    ) -> Result<(), Failure> {
        let mut waits = self.patience.waits();
        let mut tx = loop {
            match Tx::begin(connection, memory, self.clock.now()) {
                Ok(tx) => break tx,
                Err(failure) => Patience::wait(&mut waits, failure)?,
            }
        };
        let began = self.clock.monotonic();
        loop {
            group.run(&mut tx)?;
            // Whoever asks while rows are written still joins.
            tx.write_now()?;
            let spent = self.clock.monotonic().saturating_sub(began);
            if !group.takes_more(spent) || self.fill(group) == 0 {
                return tx.end();
            }
        }
    }
}

/// Takes back an open transaction. `false` if the connection is not to be used again, because SQLite
/// had taken the transaction back itself or cannot do it.
fn rolled_back(connection: &Connection, done: &Result<(), Failure>) -> bool {
    let is_rolled_back = query(include_str!("sql/rollback.sql")).execute(connection).is_ok();
    // A file that was busy for too long was busy at the beginning, and then nothing was open.
    is_rolled_back || done.as_ref().is_err_and(Failure::is_busy)
}
