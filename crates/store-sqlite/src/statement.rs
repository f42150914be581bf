//! Statements with their arguments, and how they are run.

use rusqlite::{CachedStatement, Connection};

use crate::values::{Given, Names, Row};

/// A statement with its arguments.
#[derive(Debug)]
pub(crate) struct Query<'a> {
    text: &'static str,
    arguments: Vec<Given<'a>>,
}

/// A statement that has no arguments yet.
pub(crate) const fn query<'a>(text: &'static str) -> Query<'a> {
    Query { text, arguments: Vec::new() }
}

impl<'a> Query<'a> {
    /// Adds the next argument.
    #[must_use]
    pub(crate) fn bind(mut self, argument: impl Into<Given<'a>>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// The statement without its arguments, for those of another row.
    #[must_use]
    pub(crate) fn emptied(mut self) -> Self {
        self.arguments.clear();
        self
    }

    /// Runs a statement that answers with no rows.
    pub(crate) fn execute(&self, connection: &Connection) -> rusqlite::Result<()> {
        Prepared::of(connection, self.text)?.execute(self)
    }

    /// All rows.
    pub(crate) fn all(&self, connection: &Connection) -> rusqlite::Result<Vec<Row>> {
        Prepared::of(connection, self.text)?.rows(self, usize::MAX)
    }

    /// The first row, if there is one.
    pub(crate) fn first(&self, connection: &Connection) -> rusqlite::Result<Option<Row>> {
        Ok(Prepared::of(connection, self.text)?.rows(self, 1)?.pop())
    }

    /// The one row that there must be.
    pub(crate) fn one(&self, connection: &Connection) -> rusqlite::Result<Row> {
        self.first(connection)?.ok_or(rusqlite::Error::QueryReturnedNoRows)
    }
}

/// A statement that is ready to be run, several times if need be.
pub(crate) struct Prepared<'c>(CachedStatement<'c>);

impl<'c> Prepared<'c> {
    /// Prepares a statement, once for each connection.
    pub(crate) fn of(connection: &'c Connection, text: &'static str) -> rusqlite::Result<Self> {
        connection.prepare_cached(text).map(Self)
    }

    /// Runs the statement with the arguments of a query of the same text.
    pub(crate) fn execute(&mut self, query: &Query<'_>) -> rusqlite::Result<()> {
        self.bind(query)?;
        self.0.raw_execute().map(drop)
    }

    fn rows(&mut self, query: &Query<'_>, most: usize) -> rusqlite::Result<Vec<Row>> {
        self.bind(query)?;
        let mut rows = self.0.raw_query();
        let mut found = Vec::new();
        // Another process may have changed the schema since the statement was prepared. SQLite prepares it anew with
        // the first step, so the columns are known no earlier.
        let mut names = None;
        while found.len() < most
            && let Some(row) = rows.next()?
        {
            let names = names.get_or_insert_with(|| Names::of(row.as_ref()));
            found.push(Row::read(names, row)?);
        }
        Ok(found)
    }

    fn bind(&mut self, query: &Query<'_>) -> rusqlite::Result<()> {
        (1..).zip(&query.arguments).try_for_each(|(place, argument): (usize, _)| {
            self.0.raw_bind_parameter(place, argument)
        })
    }
}
