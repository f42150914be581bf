//! Numbers between the domain's types and the one that databases have.

use std::time::Duration;

/// A count as databases keep it; the largest that it can keep, if it is larger.
#[must_use]
pub fn int(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A length of time in microseconds.
#[must_use]
pub fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}
