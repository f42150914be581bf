//! A clock that follows tokio's own time.

use std::sync::Mutex;
use std::time::Duration;

use koinon_domain::Timestamp;
use koinon_retry::Jitter;
use koinon_store::Clock;
use tokio::time::Instant;
use uuid::Uuid;

use super::ids::Ids;
use super::manual::ManualClock;

/// A clock that follows `tokio::time`: where that is paused, a sleep moves both readings at once.
#[derive(Debug)]
pub struct PausedClock {
    origin: Instant,
    jitter: Mutex<f64>,
    ids: Ids,
}

impl PausedClock {
    /// A clock that shows [`ManualClock::START`] now. Make it after `tokio::time::pause`, or in a
    /// test with `start_paused`.
    #[must_use]
    pub fn new() -> Self {
        Self { origin: Instant::now(), jitter: Mutex::new(0.5), ids: Ids::default() }
    }

    /// Sets what `jitter` answers from now on; 0.5 at first.
    pub fn set_jitter(&self, fraction: f64) {
        *self.jitter.lock().unwrap() = fraction;
    }
}

impl Default for PausedClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for PausedClock {
    fn now(&self) -> Timestamp {
        ManualClock::START.after(self.monotonic())
    }

    fn monotonic(&self) -> Duration {
        self.origin.elapsed()
    }

    fn jitter(&self) -> Jitter {
        Jitter::new(*self.jitter.lock().unwrap())
    }

    fn uuid(&self) -> Uuid {
        self.ids.next(self.now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_sleep_under_paused_time_moves_both_readings() {
        let clock = PausedClock::new();
        tokio::time::sleep(Duration::from_hours(1)).await;
        assert_eq!(clock.monotonic(), Duration::from_hours(1));
        assert_eq!(clock.now(), ManualClock::START.after(Duration::from_hours(1)));
    }
}
