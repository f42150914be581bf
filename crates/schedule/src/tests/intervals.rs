//! Fixed intervals.

use std::time::Duration;

use koinon_domain::ErrorCode;

use super::at;
use crate::{Cadence, Every};

#[test]
fn intervals_are_counted_from_the_origin_and_never_drift() {
    let cadence = Cadence::Every(Every::try_new(Duration::from_mins(15)).unwrap());
    let origin = at("2026-11-01T00:07:00Z");
    assert_eq!(cadence.next(origin, origin), Some(at("2026-11-01T00:22:00Z")));
    let late = at("2026-11-01T00:22:00.3Z");
    assert_eq!(cadence.next(origin, late), Some(at("2026-11-01T00:37:00Z")));
    assert_eq!(cadence.last(origin, late), Some(at("2026-11-01T00:22:00Z")));
    assert_eq!(cadence.last(origin, at("2026-11-01T00:21:59Z")), None);
}

#[test]
fn an_interval_has_a_second_or_more() {
    for interval in [Duration::ZERO, Duration::from_millis(999), Duration::from_hours(24 * 367)] {
        let error = Every::try_new(interval).unwrap_err();
        assert_eq!(error.code(), ErrorCode::INVALID_INTERVAL);
    }
    assert_eq!(Every::try_new(Duration::from_secs(1)).unwrap().interval(), Duration::from_secs(1));
}
