//! A clock that tells transactions apart.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use koinon_domain::Timestamp;
use koinon_store::{Clock, SystemClock};
use uuid::Uuid;

/// Every look at it is a millisecond later than the one before. The writer looks once for each
/// transaction, so rows of one instant are rows of one transaction.
#[derive(Debug, Default)]
pub(crate) struct TickingClock {
    looks: AtomicI64,
    rest: SystemClock,
}

impl Clock for TickingClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(1_000 * self.looks.fetch_add(1, Ordering::Relaxed))
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }

    fn jitter(&self) -> koinon_retry::Jitter {
        self.rest.jitter()
    }

    fn uuid(&self) -> Uuid {
        self.rest.uuid()
    }
}
