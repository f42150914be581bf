//! Whose time the store goes by.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use koinon_domain::Timestamp;
use koinon_store::Clock;

use crate::row::Instant;

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
}

impl SteadyTime {
    pub(crate) const fn new(time: Time) -> Self {
        Self { time, latest: AtomicI64::new(i64::MIN) }
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

    /// The time that a statement read, or the latest that was read before if that is later.
    pub(crate) fn at_least(&self, read: Timestamp) -> Timestamp {
        let latest = self.latest.fetch_max(read.as_micros(), Ordering::Relaxed);
        read.max(Timestamp::from_micros(latest))
    }
}
