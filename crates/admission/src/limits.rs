//! What a bulkhead lets in, and how much it lets wait.

use std::time::Duration;

/// How many roots may run at once, how many may wait for a place, and for how long.
///
/// The default is one root, 64 waiters and 30 seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    capacity: usize,
    max_waiters: usize,
    wait_timeout: Duration,
}

/// A limit lies outside its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidLimits {
    /// The capacity is zero or above [`Limits::MAX_CAPACITY`].
    #[error("the capacity of a bulkhead is at least 1 and at most 65,535")]
    Capacity,
    /// The wait timeout is zero or above [`Limits::MAX_WAIT_TIMEOUT`].
    #[error("the wait timeout of a bulkhead is above zero and at most one hour")]
    WaitTimeout,
}

impl Limits {
    /// The highest capacity that is accepted.
    pub const MAX_CAPACITY: u32 = 65_535;

    /// The longest wait timeout that is accepted: one hour.
    pub const MAX_WAIT_TIMEOUT: Duration = Duration::from_secs(3_600);

    /// Limits of `capacity` roots at once (1 to 65,535), `max_waiters` waiting callers (with 0 nobody
    /// waits) and `wait_timeout` for each of them (above 0, at most one hour).
    ///
    /// # Errors
    ///
    /// [`InvalidLimits`] when a value lies outside its range.
    pub fn try_new(
        capacity: u32,
        max_waiters: usize,
        wait_timeout: Duration,
    ) -> Result<Self, InvalidLimits> {
        if !(1..=Self::MAX_CAPACITY).contains(&capacity) {
            return Err(InvalidLimits::Capacity);
        }
        let capacity = usize::try_from(capacity).map_err(|_| InvalidLimits::Capacity)?;
        if wait_timeout.is_zero() || wait_timeout > Self::MAX_WAIT_TIMEOUT {
            return Err(InvalidLimits::WaitTimeout);
        }
        Ok(Self { capacity, max_waiters, wait_timeout })
    }

    /// How many roots may run at once; at least 1.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.capacity
    }

    /// How many callers may wait at once; 0 means that nobody waits.
    #[must_use]
    pub const fn max_waiters(&self) -> usize {
        self.max_waiters
    }

    /// How long a caller waits for its turn at most.
    #[must_use]
    pub const fn wait_timeout(&self) -> Duration {
        self.wait_timeout
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { capacity: 1, max_waiters: 64, wait_timeout: Duration::from_secs(30) }
    }
}
