//! The one place where time and randomness come in.

use std::fmt::Debug;
use std::time::{Duration, SystemTime};

use koinon_domain::Timestamp;
use koinon_retry::Jitter;
use uuid::Uuid;

/// Time and randomness, so that tests can set both.
pub trait Clock: Debug + Send + Sync {
    /// The wall clock. It decides nothing that the database's clock decides.
    fn now(&self) -> Timestamp;

    /// A clock that never goes backwards, from an origin of its own; it bounds how long a process
    /// trusts its lease.
    fn monotonic(&self) -> Duration;

    /// A number for the backoff.
    fn jitter(&self) -> Jitter;

    /// A fresh UUID, version 7.
    fn uuid(&self) -> Uuid;
}

/// The machine's own clock and randomness.
#[derive(Debug, Clone)]
pub struct SystemClock {
    origin: std::time::Instant,
}

impl SystemClock {
    /// The clock of this process.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the Clock that everything else asks")]
    pub fn new() -> Self {
        Self { origin: std::time::Instant::now() }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the Clock that everything else asks")]
impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }

    fn monotonic(&self) -> Duration {
        self.origin.elapsed()
    }

    fn jitter(&self) -> Jitter {
        Jitter::new(rand::random())
    }

    fn uuid(&self) -> Uuid {
        Uuid::now_v7()
    }
}
