//! The writer's transaction.

use koinon_domain::Timestamp;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{AssertSqlSafe, Row as _, Sqlite, SqliteConnection};

use crate::error::Failure;
use crate::write::{Ahead, Write};

/// A statement with its arguments.
pub(crate) type Query<'q> = sqlx::query::Query<'q, Sqlite, SqliteArguments>;

/// An open transaction of the writer, which owns its connection: nobody else can end up inside.
///
/// Every text that is run costs a hop to the connection's thread and back, more than most statements
/// cost. So statements travel together: the first reads with the beginning, and writes wait for the
/// next read or for the end.
#[derive(Debug)]
pub(crate) struct Tx<'c> {
    connection: &'c mut SqliteConnection,
    now: Timestamp,
    ahead: Option<Vec<SqliteRow>>,
    waiting: Vec<Write>,
    writes: u64,
}

impl<'c> Tx<'c> {
    /// Begins as the only writer of the file, reads the time (`clock`, or the last stored instant if
    /// that is later) and the rows that the first verb wants.
    pub(crate) async fn begin(
        connection: &'c mut SqliteConnection,
        clock: Timestamp,
        ahead: Option<&Ahead>,
    ) -> Result<Self, Failure> {
        let begin = match ahead {
            None => sqlx::query(concat!(
                include_str!("sql/begin.sql"),
                ";\n",
                include_str!("sql/clock.sql")
            ))
            .bind(clock.as_micros()),
            Some(ahead) => ahead.query_at_begin(clock),
        };
        let mut rows = begin.fetch_all(&mut *connection).await?.into_iter();
        let row = rows.next().ok_or(sqlx::Error::RowNotFound)?;
        let now = Timestamp::from_micros(row.try_get(0)?);
        let ahead = ahead.map(|_| rows.collect());
        Ok(Self { connection, now, ahead, waiting: Vec::new(), writes: 0 })
    }

    /// The instant of everything that this transaction decides.
    pub(crate) const fn now(&self) -> Timestamp {
        self.now
    }

    /// How many writes there were so far.
    pub(crate) const fn writes(&self) -> u64 {
        self.writes
    }

    /// The rows that were read at the beginning for the first verb.
    pub(crate) const fn take_ahead(&mut self) -> Option<Vec<SqliteRow>> {
        self.ahead.take()
    }

    /// All rows of a query.
    pub(crate) async fn all(&mut self, query: Query<'_>) -> Result<Vec<SqliteRow>, Failure> {
        self.flush(End::Open).await?;
        Ok(query.fetch_all(&mut *self.connection).await?)
    }

    /// The first row of a query, if there is one.
    pub(crate) async fn first(&mut self, query: Query<'_>) -> Result<Option<SqliteRow>, Failure> {
        self.flush(End::Open).await?;
        Ok(query.fetch_optional(&mut *self.connection).await?)
    }

    /// Runs a statement that writes and answers with a row.
    pub(crate) async fn write_returning(
        &mut self,
        query: Query<'_>,
    ) -> Result<Option<SqliteRow>, Failure> {
        self.writes += 1;
        self.first(query).await
    }

    /// Runs a statement that writes.
    pub(crate) async fn write(&mut self, query: Query<'_>) -> Result<(), Failure> {
        self.writes += 1;
        self.flush(End::Open).await?;
        query.execute(&mut *self.connection).await?;
        Ok(())
    }

    /// Writes before the next read, or at the end.
    pub(crate) fn write_later(&mut self, write: Write) {
        self.writes += 1;
        self.waiting.push(write);
    }

    /// Writes what waits.
    pub(crate) async fn write_now(&mut self) -> Result<(), Failure> {
        self.flush(End::Open).await
    }

    /// Makes everything durable, if there is anything.
    pub(crate) async fn end(mut self) -> Result<(), Failure> {
        if self.writes > 0 {
            return self.flush(End::Commit).await;
        }
        let rollback = sqlx::query(include_str!("sql/rollback.sql"));
        rollback.execute(&mut *self.connection).await?;
        Ok(())
    }

    async fn flush(&mut self, end: End) -> Result<(), Failure> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(Write::rank);
        let mut scripts = scripts(&waiting);
        if matches!(end, End::Commit) && scripts.is_empty() {
            scripts.push(&[]);
        }
        let last = scripts.len().saturating_sub(1);
        for (index, script) in scripts.into_iter().enumerate() {
            let mut text = String::new();
            for write in script {
                text.push_str(write.text());
                text.push_str(";\n");
            }
            if matches!(end, End::Commit) && index == last {
                text.push_str(include_str!("sql/commit_transaction.sql"));
            }
            // Safe: the text is made of files of this crate and of nothing else.
            let query = sqlx::query(AssertSqlSafe(text));
            let query = script.iter().fold(query, |query, write| write.bind(query));
            query.execute(&mut *self.connection).await?;
        }
        Ok(())
    }
}

/// What follows the writes that wait.
#[derive(Debug, Clone, Copy)]
enum End {
    Open,
    Commit,
}

/// The writes of one verb, that go together whatever they are.
const FEW: usize = 8;

/// The most writes of one kind that go together.
const MANY: usize = 16;

/// Which writes go together. Few go as they are; many go by their kinds, sixteen, eight, four, two or
/// one at a time, so that there are only so many texts and each is prepared once.
fn scripts(writes: &[Write]) -> Vec<&[Write]> {
    if writes.is_empty() {
        return Vec::new();
    }
    if writes.len() <= FEW {
        return vec![writes];
    }
    let mut scripts = Vec::new();
    for kind in writes.chunk_by(|one, other| one.rank() == other.rank()) {
        let mut rest = kind;
        while !rest.is_empty() {
            let count = if rest.len() >= MANY { MANY } else { 1 << rest.len().ilog2() };
            let (script, later) = rest.split_at(count);
            scripts.push(script);
            rest = later;
        }
    }
    scripts
}
