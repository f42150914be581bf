//! A transaction: its rows, its time, its end.

use std::time::Duration;

use koinon_domain::Timestamp;
use sqlx::Postgres;
use sqlx::postgres::{PgArguments, PgPool};

use crate::error::Failure;
use crate::guard::Guard;
use crate::row::{Columns, Found, Instant};
use crate::store::Shared;
use crate::time::{GUESS_WITHIN, SteadyTime};

/// A statement with its arguments.
pub(crate) type Query<'q> = sqlx::query::Query<'q, Postgres, PgArguments>;

/// An open transaction.
#[derive(Debug)]
pub(crate) struct Tx<'s> {
    guard: Guard,
    time: &'s SteadyTime,
    now: Timestamp,
    /// What the database's clock says if `now` is right, as long as it was not read.
    guess: Option<Timestamp>,
    wrote: bool,
    is_open: bool,
}

impl<'s> Tx<'s> {
    /// Begins a transaction on a connection of the pool.
    pub(crate) async fn begin(shared: &'s Shared, pool: &PgPool) -> Result<Self, Failure> {
        let mut guard = Self::guard(shared, pool).await?;
        guard.run(include_str!("sql/begin.sql")).await?;
        Ok(Self::on(guard, &shared.time, true))
    }

    /// A connection whose statements are transactions of their own; behind a pooler, which may send each
    /// message elsewhere, a transaction around them all.
    pub(crate) async fn each(shared: &'s Shared, pool: &PgPool) -> Result<Self, Failure> {
        if shared.options.pooler {
            return Self::begin(shared, pool).await;
        }
        Ok(Self::on(Self::guard(shared, pool).await?, &shared.time, false))
    }

    async fn guard(shared: &Shared, pool: &PgPool) -> Result<Guard, Failure> {
        let is_prepared = !shared.options.pooler;
        Guard::take(pool, shared.options.answer_for, is_prepared, shared.returns.clone()).await
    }

    const fn on(guard: Guard, time: &'s SteadyTime, is_open: bool) -> Self {
        let now = Timestamp::from_micros(i64::MIN);
        Self { guard, time, now, guess: None, wrote: false, is_open }
    }

    /// The instant of everything that this transaction decides: the latest that its rows brought.
    pub(crate) const fn now(&self) -> Timestamp {
        self.now
    }

    /// That instant, as an argument.
    pub(crate) const fn now_at(&self) -> Instant {
        Instant(self.now)
    }

    /// Goes by what this process takes for the database's time, until that is read; answers it, if there is any.
    pub(crate) fn go_by_guess(&mut self) -> Option<Timestamp> {
        let guess = self.time.guess()?;
        (self.now, self.guess) = (guess.now, Some(guess.clock));
        Some(guess.now)
    }

    /// What the database's clock is to say, if it is still to agree with what this transaction goes by.
    pub(crate) fn guessed(&self) -> Option<Instant> {
        self.guess.filter(|_| self.time.given().is_none()).map(Instant)
    }

    /// What the database's clock may say at the latest, if that was guessed.
    pub(crate) fn guess_holds_until(&self) -> Option<Instant> {
        self.guessed().map(|Instant(guess)| Instant(guess.after(GUESS_WITHIN)))
    }

    /// What the statements are to take as the time, if not the database's.
    pub(crate) fn given(&self) -> Option<Instant> {
        self.time.given()
    }

    /// What the time may not be before.
    pub(crate) fn latest(&self) -> Option<Instant> {
        self.time.latest()
    }

    /// All rows of a query.
    pub(crate) async fn all(&mut self, query: Query<'_>) -> Result<Vec<Found>, Failure> {
        self.guard.all(query).await
    }

    /// The first row of a query, if there is one.
    pub(crate) async fn first(&mut self, query: Query<'_>) -> Result<Option<Found>, Failure> {
        self.guard.first(query).await
    }

    /// All rows of a query, and with them the time, as `now_at`.
    pub(crate) async fn timed(&mut self, query: Query<'_>) -> Result<Vec<Found>, Failure> {
        let sent = self.time.monotonic();
        let rows = self.guard.all(query).await?;
        self.read_time(&rows, sent)?;
        Ok(rows)
    }

    /// The same of a statement that writes.
    pub(crate) async fn write_timed(&mut self, query: Query<'_>) -> Result<Vec<Found>, Failure> {
        let sent = self.time.monotonic();
        let rows = self.write_all(query).await?;
        self.read_time(&rows, sent)?;
        Ok(rows)
    }

    fn read_time(&mut self, rows: &[Found], sent: Duration) -> Result<(), Failure> {
        for found in rows {
            let read = Columns::new(found, "the time").instant("now_at")?;
            self.now = self.time.has_read(read, sent);
            self.guess = None;
        }
        Ok(())
    }

    /// Runs a statement that writes and answers with a row.
    pub(crate) async fn write_returning(
        &mut self,
        query: Query<'_>,
    ) -> Result<Option<Found>, Failure> {
        self.wrote = true;
        self.guard.first(query).await
    }

    /// All rows that a statement which writes answers with.
    pub(crate) async fn write_all(&mut self, query: Query<'_>) -> Result<Vec<Found>, Failure> {
        self.wrote = true;
        self.guard.all(query).await
    }

    /// Runs a statement that writes.
    pub(crate) async fn write(&mut self, query: Query<'_>) -> Result<(), Failure> {
        self.write_returning(query).await.map(drop)
    }

    /// Runs a statement about the transaction itself.
    pub(crate) async fn steer(&mut self, text: &'static str) -> Result<(), Failure> {
        self.guard.run(text).await
    }

    /// Ends the transaction as its verb did.
    pub(crate) async fn settle<T>(self, done: Result<T, Failure>) -> Result<T, Failure> {
        match done {
            Ok(answer) => {
                self.end().await?;
                Ok(answer)
            }
            Err(failure) => {
                // What does not answer is not asked to roll back: it is closed.
                if !failure.breaks_connection() {
                    self.give_up().await;
                }
                Err(failure)
            }
        }
    }

    /// Makes everything durable, if there is anything, and gives the connection back.
    async fn end(mut self) -> Result<(), Failure> {
        if self.is_open {
            let end = if self.wrote {
                include_str!("sql/commit_transaction.sql")
            } else {
                include_str!("sql/rollback.sql")
            };
            self.guard.run(end).await?;
        }
        self.guard.give_back();
        Ok(())
    }

    /// Takes everything back after a failure. A connection that cannot do that is closed, with the same
    /// effect.
    async fn give_up(mut self) {
        if !self.is_open || self.guard.run(include_str!("sql/rollback.sql")).await.is_ok() {
            self.guard.give_back();
        }
    }
}

/// So often a transaction is tried that others got in the way of.
pub(crate) const TRIES: u32 = 10;

/// Runs a verb in a transaction of its own on a pool, again if another transaction got in its way.
macro_rules! in_tx {
    ($shared:expr, $pool:expr, $tx:ident => $verb:expr) => {
        $crate::tx::again!($crate::tx::Tx::begin($shared, $pool), $tx => $verb)
    };
}

/// The same for a verb that is one statement, which is a transaction by itself.
macro_rules! in_each {
    ($shared:expr, $pool:expr, $tx:ident => $verb:expr) => {
        $crate::tx::again!($crate::tx::Tx::each($shared, $pool), $tx => $verb)
    };
}

macro_rules! again {
    ($begin:expr, $tx:ident => $verb:expr) => {{
        let mut tries = 1;
        loop {
            let mut $tx = $begin.await?;
            let done = $verb.await;
            match $tx.settle(done).await {
                Err(failure) if failure.is_collision() && tries < $crate::tx::TRIES => tries += 1,
                settled => break settled,
            }
        }
    }};
}

pub(crate) use {again, in_each, in_tx};
