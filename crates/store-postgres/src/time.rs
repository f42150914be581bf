//! Whose time the store goes by.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use koinon_domain::Timestamp;
use koinon_store::{Clock, SystemClock};

use crate::row::Instant;

/// So far a guess may be behind the database's time; the statements that save what was decided by a guess say the same.
pub(crate) const GUESS_WITHIN: Duration = Duration::from_millis(250);

/// Whose time the store goes by.
#[derive(Debug, Clone)]
pub enum Time {
    /// The database's: the only one that several processes can share.
    Database,
    /// A clock that the caller sets, for a database that nobody else uses.
    Given(Arc<dyn Clock>),
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

    /// A statement read the time just now; answers that, or the latest that was read before if it is later.
    pub(crate) fn has_read(&self, read: Timestamp) -> Timestamp {
        if matches!(self.time, Time::Database) {
            let known = Some((read, self.monotonic.monotonic()));
            *self.read.lock().unwrap_or_else(PoisonError::into_inner) = known;
        }
        self.at_least(read)
    }

    /// What the time is by what was read last and by how long ago that was: as far behind the database's clock as
    /// that answer was under way, and the database is to see whether it is not further. `None` if nothing was read.
    pub(crate) fn guess(&self) -> Option<Timestamp> {
        if let Some(Instant(given)) = self.given() {
            return Some(given);
        }
        let (read, then) = (*self.read.lock().unwrap_or_else(PoisonError::into_inner))?;
        let since = self.monotonic.monotonic().saturating_sub(then);
        Some(self.at_least(read.after(since)))
    }

    /// The time that a statement read, or the latest that was read before if that is later.
    fn at_least(&self, read: Timestamp) -> Timestamp {
        let latest = self.latest.fetch_max(read.as_micros(), Ordering::Relaxed);
        read.max(Timestamp::from_micros(latest))
    }
}
