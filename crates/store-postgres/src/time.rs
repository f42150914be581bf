//! Whose time the store goes by.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use koinon_domain::Timestamp;
use koinon_store::{Clock, SystemClock};

use crate::row::Instant;

/// So far a guess may be behind the database's time.
pub(crate) const GUESS_WITHIN: Duration = Duration::from_millis(250);

/// Whose time the store goes by.
#[derive(Debug, Clone)]
pub enum Time {
    /// The database's: the only one that several processes can share.
    Database,
    /// A clock that the caller sets, for a database that nobody else uses.
    Given(Arc<dyn Clock>),
}

/// What this process takes for the time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guess {
    /// What the database's clock says.
    pub(crate) clock: Timestamp,
    /// What is decided by: that, or the latest that was read if the clock has been set back since.
    pub(crate) now: Timestamp,
}

/// Time that never goes backwards, as far as this process has seen it.
#[derive(Debug)]
pub(crate) struct SteadyTime {
    time: Time,
    latest: AtomicI64,
    /// What the database's clock said last, and when by `monotonic` that was known here.
    read: Mutex<Option<(Timestamp, Duration)>>,
    monotonic: SystemClock,
}

impl SteadyTime {
    pub(crate) fn new(time: Time) -> Self {
        let (latest, read) = (AtomicI64::new(i64::MIN), Mutex::default());
        Self { time, latest, read, monotonic: SystemClock::default() }
    }

    /// What a statement is to take as the time; with `None` it reads the database's clock itself.
    pub(crate) fn given(&self) -> Option<Instant> {
        match &self.time {
            Time::Database => None,
            Time::Given(clock) => Some(Instant(self.at_least(clock.now()))),
        }
    }

    /// The latest time that was read so far.
    pub(crate) fn latest(&self) -> Option<Instant> {
        let latest = self.latest.load(Ordering::Relaxed);
        (latest > i64::MIN).then(|| Instant(Timestamp::from_micros(latest)))
    }

    /// What the clock of this process says, which only goes on.
    pub(crate) fn monotonic(&self) -> Duration {
        self.monotonic.monotonic()
    }

    /// A statement that was sent at `sent` read the time; answers that, or the latest that was read before if it is
    /// later.
    pub(crate) fn has_read(&self, read: Timestamp, sent: Duration) -> Timestamp {
        let before = self.latest.fetch_max(read.as_micros(), Ordering::Relaxed);
        // What was the latest already may be no more than an echo of it, from a statement that never goes behind it.
        if matches!(self.time, Time::Database) && read.as_micros() != before {
            self.keep(read, sent);
        }
        read.max(Timestamp::from_micros(before))
    }

    /// What was known before is kept if the database's clock may just have said it: it said `read` at some moment
    /// since `sent`, and one that waited long for its transaction to be durable says less than what was known.
    fn keep(&self, read: Timestamp, sent: Duration) {
        let then = self.monotonic();
        let mut known = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let may_be = read..=read.after(then.saturating_sub(sent));
        if !known.is_some_and(|known| may_be.contains(&by(known, then))) {
            *known = Some((read, then));
        }
    }

    /// What the time is by what was read and by how long ago that was: somewhat behind the database's clock, which is
    /// to see whether it is no further. `None` if nothing was read. What is guessed counts as read once the database
    /// has agreed.
    pub(crate) fn guess(&self) -> Option<Guess> {
        if let Some(Instant(given)) = self.given() {
            return Some(Guess { clock: given, now: given });
        }
        let known = (*self.read.lock().unwrap_or_else(PoisonError::into_inner))?;
        let clock = by(known, self.monotonic());
        let latest = Timestamp::from_micros(self.latest.load(Ordering::Relaxed));
        Some(Guess { clock, now: clock.max(latest) })
    }

    /// The time that a statement read, or the latest that was read before if that is later.
    fn at_least(&self, read: Timestamp) -> Timestamp {
        let latest = self.latest.fetch_max(read.as_micros(), Ordering::Relaxed);
        read.max(Timestamp::from_micros(latest))
    }
}

/// What the database's clock says at `then` by what it said before. A clock that runs slower than this process's by
/// less than one part in a thousand is not overtaken.
fn by((read, at): (Timestamp, Duration), then: Duration) -> Timestamp {
    let since = then.saturating_sub(at);
    read.after(since.saturating_sub(since / 1000))
}
