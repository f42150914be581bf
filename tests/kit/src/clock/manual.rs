//! A clock that stands still until a test moves it.

use std::sync::Mutex;
use std::time::Duration;

use koinon_domain::Timestamp;
use koinon_retry::Jitter;
use koinon_store::Clock;
use uuid::Uuid;

use super::ids::Ids;

/// A clock that stands still until it is moved.
///
/// `advance` moves the wall clock and the monotonic one; `set` moves the wall clock alone, also
/// backwards.
#[derive(Debug)]
pub struct ManualClock {
    times: Mutex<Times>,
    ids: Ids,
}

#[derive(Debug)]
struct Times {
    now: Timestamp,
    monotonic: Duration,
    jitter: f64,
}

impl ManualClock {
    /// Where every clock of the kit begins: 2026-11-01T00:00:00Z.
    pub const START: Timestamp = Timestamp::from_micros(1_793_491_200_000_000);

    /// A clock that shows [`Self::START`].
    #[must_use]
    pub fn new() -> Self {
        let times = Times { now: Self::START, monotonic: Duration::ZERO, jitter: 0.5 };
        Self { times: Mutex::new(times), ids: Ids::default() }
    }

    /// Lets time pass.
    pub fn advance(&self, time: Duration) {
        let mut times = self.times.lock().unwrap();
        times.now = times.now.after(time);
        times.monotonic += time;
    }

    /// Sets the wall clock.
    pub fn set(&self, now: Timestamp) {
        self.times.lock().unwrap().now = now;
    }

    /// Sets the wall clock back.
    pub fn set_back(&self, by: Duration) {
        let mut times = self.times.lock().unwrap();
        let micros = i64::try_from(by.as_micros()).expect("a test sets its clock back by little");
        times.now = Timestamp::from_micros(times.now.as_micros() - micros);
    }

    /// Sets what `jitter` answers from now on; 0.5 at first.
    pub fn set_jitter(&self, fraction: f64) {
        self.times.lock().unwrap().jitter = fraction;
    }
}

impl Default for ManualClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        self.times.lock().unwrap().now
    }

    fn monotonic(&self) -> Duration {
        self.times.lock().unwrap().monotonic
    }

    fn jitter(&self) -> Jitter {
        Jitter::new(self.times.lock().unwrap().jitter)
    }

    fn uuid(&self) -> Uuid {
        self.ids.next(self.now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_ordered_and_of_version_7() {
        let clock = ManualClock::new();
        let ids: Vec<_> = (0..1_000).map(|_| clock.uuid()).collect();
        assert!(ids.is_sorted_by(|a, b| a < b));
        assert!(ids.iter().all(|id| id.get_version_num() == 7));
    }

    #[test]
    fn setting_the_wall_clock_back_leaves_the_monotonic_one() {
        let clock = ManualClock::new();
        clock.advance(Duration::from_secs(2));
        clock.set_back(Duration::from_secs(3));
        assert_eq!(clock.monotonic(), Duration::from_secs(2));
        assert_eq!(clock.now().after(Duration::from_secs(1)), ManualClock::START);
    }
}
