//! The writer's transaction.

use std::collections::HashMap;
use std::sync::Arc;

use koinon_domain::{JobId, Timestamp};
use koinon_store::Run;
use rusqlite::Connection;

use crate::error::Failure;
use crate::memory::Memory;
use crate::row::Columns;
use crate::statement::{Prepared, Query, query};
use crate::values::Row;
use crate::write::Write;

/// An open transaction of the writer, which owns its connection: nobody else can end up inside.
///
/// Writes wait for the next read or for the end. Those of one kind then follow each other, whichever job
/// they are of; what changes the row of one job keeps its order.
#[derive(Debug)]
pub(crate) struct Tx<'c> {
    connection: &'c Connection,
    memory: &'c mut Memory,
    now: Timestamp,
    /// What waits, each with how many changes of the same job's row wait before it.
    waiting: Vec<(usize, Write)>,
    /// How many changes of a job's row wait.
    changes: HashMap<JobId, usize>,
    writes: u64,
}

impl<'c> Tx<'c> {
    /// Begins as the only writer of the file and reads the time: `clock`, or the last stored instant if
    /// that is later.
    pub(crate) fn begin(
        connection: &'c Connection,
        memory: &'c mut Memory,
        clock: Timestamp,
    ) -> Result<Self, Failure> {
        query(include_str!("sql/begin.sql")).execute(connection)?;
        query(include_str!("sql/clock.sql")).bind(clock.as_micros()).execute(connection)?;
        let clock = query(include_str!("sql/now.sql")).one(connection)?;
        let version = query(include_str!("sql/data_version.sql")).one(connection)?;
        memory.begin(Columns::new(&version, "the file").get("data_version")?);
        let now = Columns::new(&clock, "the clock").instant("now_at")?;
        let (waiting, changes) = (Vec::new(), HashMap::new());
        Ok(Self { connection, memory, now, waiting, changes, writes: 0 })
    }

    /// The instant of everything that this transaction decides.
    pub(crate) const fn now(&self) -> Timestamp {
        self.now
    }

    /// How many writes there were so far.
    pub(crate) const fn writes(&self) -> u64 {
        self.writes
    }

    /// How a job stands, if this writer wrote its row last.
    pub(crate) fn remembered(&self, job: JobId) -> Option<Arc<Run>> {
        self.memory.run(job)
    }

    /// All rows of a query.
    pub(crate) fn all(&mut self, query: &Query<'_>) -> Result<Vec<Row>, Failure> {
        self.write_now()?;
        Ok(query.all(self.connection)?)
    }

    /// The first row of a query, if there is one.
    pub(crate) fn first(&mut self, query: &Query<'_>) -> Result<Option<Row>, Failure> {
        self.write_now()?;
        Ok(query.first(self.connection)?)
    }

    /// Runs a statement that writes and answers with a row. Which rows it changes is not looked at.
    pub(crate) fn write_returning(&mut self, query: &Query<'_>) -> Result<Option<Row>, Failure> {
        self.writes += 1;
        self.memory.clear();
        self.first(query)
    }

    /// Runs a statement that writes. Which rows it changes is not looked at.
    pub(crate) fn write(&mut self, query: &Query<'_>) -> Result<(), Failure> {
        self.writes += 1;
        self.memory.clear();
        self.write_now()?;
        Ok(query.execute(self.connection)?)
    }

    /// Writes before the next read, or at the end.
    pub(crate) fn write_later(&mut self, write: Write) {
        self.writes += 1;
        if let Some(run) = write.run() {
            self.memory.keep(run);
        }
        let before = write.changed().map_or(0, |job| {
            let changes = self.changes.entry(job).or_default();
            *changes += 1;
            *changes - 1
        });
        self.waiting.push((before, write));
    }

    /// Writes what waits.
    pub(crate) fn write_now(&mut self) -> Result<(), Failure> {
        let mut waiting = std::mem::take(&mut self.waiting);
        self.changes.clear();
        let place = |(before, write): &(usize, Write)| (*before, write.rank());
        waiting.sort_by_key(place);
        for kind in waiting.chunk_by(|one, other| place(one) == place(other)) {
            let Some(text) = kind.first().map(|(_, write)| write.text()) else { continue };
            let mut prepared = Prepared::of(self.connection, text)?;
            let mut query = query(text);
            for (_, write) in kind {
                query = write.bind(query.emptied());
                prepared.execute(&query)?;
            }
        }
        // Its room is used again.
        waiting.clear();
        self.waiting = waiting;
        Ok(())
    }

    /// Makes everything durable, if there is anything.
    pub(crate) fn end(mut self) -> Result<(), Failure> {
        self.write_now()?;
        let end = if self.writes > 0 {
            include_str!("sql/commit_transaction.sql")
        } else {
            include_str!("sql/rollback.sql")
        };
        Ok(query(end).execute(self.connection)?)
    }
}
