//! The writer's transaction.

use koinon_domain::Timestamp;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Row as _, Sqlite, SqliteConnection};

use crate::error::Failure;
use crate::repeated::Repeated;

/// A statement with its arguments.
pub(crate) type Query<'q> = sqlx::query::Query<'q, Sqlite, SqliteArguments>;

/// An open transaction of the writer, which owns its connection: nobody else can end up inside.
#[derive(Debug)]
pub(crate) struct Tx<'c> {
    connection: &'c mut SqliteConnection,
    now: Timestamp,
    writes: u64,
}

const BEGIN: &str = concat!(include_str!("sql/begin.sql"), ";\n", include_str!("sql/clock.sql"));

impl<'c> Tx<'c> {
    /// Begins as the only writer of the file, and reads the time: `clock`, or the last stored instant
    /// if that is later.
    pub(crate) async fn begin(
        connection: &'c mut SqliteConnection,
        clock: Timestamp,
    ) -> Result<Self, Failure> {
        let begin = sqlx::query(BEGIN).bind(clock.as_micros());
        let row = begin.fetch_one(&mut *connection).await?;
        let now = Timestamp::from_micros(row.try_get(0)?);
        Ok(Self { connection, now, writes: 0 })
    }

    /// The instant of everything that this transaction decides.
    pub(crate) const fn now(&self) -> Timestamp {
        self.now
    }

    /// How many rows were written so far.
    pub(crate) const fn writes(&self) -> u64 {
        self.writes
    }

    /// All rows of a query.
    pub(crate) async fn all(&mut self, query: Query<'_>) -> Result<Vec<SqliteRow>, Failure> {
        Ok(query.fetch_all(&mut *self.connection).await?)
    }

    /// The first row of a query, if there is one.
    pub(crate) async fn first(&mut self, query: Query<'_>) -> Result<Option<SqliteRow>, Failure> {
        Ok(query.fetch_optional(&mut *self.connection).await?)
    }

    /// Runs a statement that writes.
    pub(crate) async fn write(&mut self, query: Query<'_>) -> Result<(), Failure> {
        self.writes += 1;
        query.execute(&mut *self.connection).await?;
        Ok(())
    }

    /// Runs a statement that writes and answers with a row.
    pub(crate) async fn write_returning(
        &mut self,
        query: Query<'_>,
    ) -> Result<Option<SqliteRow>, Failure> {
        self.writes += 1;
        self.first(query).await
    }

    /// Runs a statement that writes for each row, with the arguments that `bind` adds for it.
    pub(crate) async fn write_each<T>(
        &mut self,
        statement: Repeated,
        rows: &[T],
        bind: impl for<'q> Fn(Query<'q>, &T) -> Query<'q>,
    ) -> Result<(), Failure> {
        let mut rest = rows;
        while let Some((text, count)) = statement.largest(rest.len()) {
            let (now, later) = rest.split_at(count);
            let query = now.iter().fold(sqlx::query(text), &bind);
            self.write(query).await?;
            rest = later;
        }
        Ok(())
    }

    /// Makes everything durable, if there is anything.
    pub(crate) async fn end(self) -> Result<(), Failure> {
        let end = if self.writes == 0 {
            include_str!("sql/rollback.sql")
        } else {
            include_str!("sql/commit_transaction.sql")
        };
        sqlx::query(end).execute(self.connection).await?;
        Ok(())
    }
}
