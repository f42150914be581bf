//! The one place that reads the clock of the machine.

use std::time::{SystemTime, UNIX_EPOCH};

/// Microseconds since 1970, on the clock that the program's database reads too.
#[expect(clippy::disallowed_methods, reason = "a real server logs real instants")]
pub(crate) fn now_us() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_micros()).unwrap()
}
