//! A clock that never goes backwards.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use koinon_domain::Timestamp;
use koinon_store::Clock;

/// The process's clock, never before what it said last. The file remembers the instant of its last
/// write; this one covers the looks that write nothing.
#[derive(Debug)]
pub(crate) struct SteadyClock {
    clock: Arc<dyn Clock>,
    latest: AtomicI64,
}

impl SteadyClock {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, latest: AtomicI64::new(i64::MIN) }
    }

    pub(crate) fn now(&self) -> Timestamp {
        let now = self.clock.now().as_micros();
        let latest = self.latest.fetch_max(now, Ordering::Relaxed);
        Timestamp::from_micros(now.max(latest))
    }

    pub(crate) fn monotonic(&self) -> Duration {
        self.clock.monotonic()
    }
}
