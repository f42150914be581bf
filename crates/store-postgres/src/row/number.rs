//! Numbers between the domain's types and those of Postgres.

use std::time::Duration;

/// A count as Postgres keeps it; the largest that it can keep, if it is larger.
pub(crate) fn int(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A length of time in microseconds.
pub(crate) fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}
