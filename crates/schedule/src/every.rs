//! Fixed intervals.

use std::time::Duration;

use koinon_domain::Timestamp;

use crate::Invalid;

/// A fixed interval, at least one second and at most 366 days, in whole microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Every(i64);

impl Every {
    /// The least interval.
    pub const MIN: Duration = Duration::from_secs(1);

    /// The greatest interval.
    pub const MAX: Duration = Duration::from_hours(24 * 366);

    /// Makes an interval.
    ///
    /// # Errors
    ///
    /// [`Invalid::Interval`] if it is outside of its range.
    pub fn try_new(interval: Duration) -> Result<Self, Invalid> {
        if interval < Self::MIN || interval > Self::MAX {
            return Err(Invalid::Interval);
        }
        i64::try_from(interval.as_micros()).map(Self).map_err(|_| Invalid::Interval)
    }

    /// The interval.
    #[must_use]
    pub fn interval(self) -> Duration {
        Duration::from_micros(self.0.unsigned_abs())
    }

    pub(crate) fn next(self, origin: Timestamp, after: Timestamp) -> Option<Timestamp> {
        let (origin, after) = (origin.as_micros(), after.as_micros());
        let passed = after.checked_sub(origin)?.max(0).checked_div(self.0)?;
        let tick = passed.checked_add(1)?.checked_mul(self.0)?.checked_add(origin)?;
        Some(Timestamp::from_micros(tick))
    }

    pub(crate) fn last(self, origin: Timestamp, until: Timestamp) -> Option<Timestamp> {
        let (origin, until) = (origin.as_micros(), until.as_micros());
        let passed =
            until.checked_sub(origin)?.checked_div(self.0).filter(|passed| *passed >= 1)?;
        Some(Timestamp::from_micros(passed.checked_mul(self.0)?.checked_add(origin)?))
    }
}
