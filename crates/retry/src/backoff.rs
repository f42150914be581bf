//! How long a job waits before its next try.

use std::time::Duration;

/// Exponential backoff with full jitter, and the cap on what a provider may ask for.
///
/// Source: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015 (full jitter).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    base: Duration,
    cap: Duration,
    told_cap: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self {
            base: Duration::from_secs(1),
            cap: Duration::from_mins(1),
            told_cap: Duration::from_hours(1),
        }
    }
}

/// A random number in [0, 1), drawn by the caller.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jitter(f64);

impl Jitter {
    /// The jitter that this fraction is; what lies outside of [0, 1] is moved to the nearer end.
    #[must_use]
    pub const fn new(fraction: f64) -> Self {
        Self(if fraction.is_nan() { 0.0 } else { fraction.clamp(0.0, 1.0) })
    }
}

impl Backoff {
    /// The wait before the try after `attempt` failed ones: `max(backoff, told)`.
    ///
    /// The backoff lies in `[0, min(cap, base × 2^(attempt − 1))]`. `told` is what the provider's
    /// `Retry-After` says, and counts up to one hour.
    #[must_use]
    pub fn wait(&self, attempt: u32, jitter: Jitter, told: Option<Duration>) -> Duration {
        let doublings = attempt.saturating_sub(1).min(31);
        let ceiling = self.base.saturating_mul(1 << doublings).min(self.cap);
        let backoff = ceiling.mul_f64(jitter.0);
        backoff.max(told.unwrap_or_default().min(self.told_cap))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_stays_between_zero_and_the_cap() {
        let backoff = Backoff::default();
        assert_eq!(backoff.wait(1, Jitter::new(0.0), None), Duration::ZERO);
        assert_eq!(backoff.wait(3, Jitter::new(1.0), None), Duration::from_secs(4));
        assert_eq!(backoff.wait(u32::MAX, Jitter::new(7.0), None), Duration::from_mins(1));
    }

    #[test]
    fn what_the_provider_asks_for_is_never_undercut_and_counts_up_to_an_hour() {
        let backoff = Backoff::default();
        let two = Some(Duration::from_secs(2));
        assert_eq!(backoff.wait(1, Jitter::new(0.0), two), Duration::from_secs(2));
        let day = Some(Duration::from_hours(24));
        assert_eq!(backoff.wait(1, Jitter::new(0.0), day), Duration::from_hours(1));
    }
}
