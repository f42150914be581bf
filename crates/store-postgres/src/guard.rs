//! A borrowed connection that goes back to its pool only in a known state.

use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgPool};
use sqlx::{Executor as _, Postgres};
use tokio_util::task::TaskTracker;

use crate::error::Failure;
use crate::row::Found;
use crate::tx::Query;

/// How long a connection may be asked whether it still lives, at the most; half of the time that a statement has
/// if that is less.
const PING_FOR: Duration = Duration::from_secs(2);

/// Owns a connection of a pool.
///
/// A caller may drop its future between any two bytes, and then the connection is in the middle of a
/// statement or of a transaction. Given back like that, the next borrower would find itself inside of
/// that transaction, or would wait for a peer that is gone. So only [`Guard::give_back`] gives it back;
/// a guard that is merely dropped closes the connection, and the server rolls back what was open.
#[derive(Debug)]
pub(crate) struct Guard {
    connection: Option<PoolConnection<Postgres>>,
    answer_for: Duration,
    is_prepared: bool,
    /// The connections on their way back.
    returns: TaskTracker,
}

impl Guard {
    #[expect(clippy::disallowed_methods, reason = "this is the guard that everybody else takes")]
    pub(crate) async fn take(
        pool: &PgPool,
        answer_for: Duration,
        is_prepared: bool,
        returns: TaskTracker,
    ) -> Result<Self, Failure> {
        let connection = Some(pool.acquire().await?);
        Ok(Self { connection, answer_for, is_prepared, returns })
    }

    /// All rows of a statement.
    pub(crate) async fn all(&mut self, query: Query<'_>) -> Result<Vec<Found>, Failure> {
        let (query, wait) = (query.persistent(self.is_prepared), self.answer_for);
        let rows = within(wait, query.fetch_all(self.connection()?)).await?;
        Ok(rows.into_iter().map(Found::from).collect())
    }

    /// The first row of a statement, if there is one.
    pub(crate) async fn first(&mut self, query: Query<'_>) -> Result<Option<Found>, Failure> {
        let (query, wait) = (query.persistent(self.is_prepared), self.answer_for);
        let row = within(wait, query.fetch_optional(self.connection()?)).await?;
        Ok(row.map(Found::from))
    }

    /// Runs a statement without arguments whose rows do not matter; it is not prepared.
    pub(crate) async fn run(&mut self, text: &'static str) -> Result<(), Failure> {
        let wait = self.answer_for;
        within(wait, self.connection()?.execute(text)).await.map(drop)
    }

    /// Gives the connection back; nothing may be open on it. The pool asks it whether it still lives, and would
    /// wait for ever, and keep its place, if the peer vanished just then: so one that does not answer is closed.
    pub(crate) fn give_back(mut self) {
        if let Some(mut connection) = self.connection.take() {
            let returned = connection.return_to_pool();
            self.returns.spawn(tokio::time::timeout(ping_for(self.answer_for), returned));
        }
    }

    fn connection(&mut self) -> Result<&mut PgConnection, sqlx::Error> {
        self.connection.as_deref_mut().ok_or(sqlx::Error::PoolClosed)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            drop(connection.detach());
        }
    }
}

/// How long a connection may be asked whether it still lives.
pub(crate) fn ping_for(answer_for: Duration) -> Duration {
    PING_FOR.min(answer_for / 2)
}

/// A peer that vanished without a word answers nothing, ever.
pub(crate) async fn within<T>(
    wait: Duration,
    work: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, Failure> {
    match tokio::time::timeout(wait, work).await {
        Ok(done) => Ok(done?),
        Err(elapsed) => Err(sqlx::Error::Io(std::io::Error::from(elapsed)).into()),
    }
}
