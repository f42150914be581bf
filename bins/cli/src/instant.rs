//! Instants as people and programs read them, in UTC.

use koinon::domain::Timestamp;
use time::OffsetDateTime;

/// RFC 3339 with microseconds.
pub(crate) fn exact(at: Timestamp) -> String {
    calendar(at).map_or_else(
        || at.as_micros().to_string(),
        |time| format!("{}T{}.{:06}Z", date(time), clock(time), time.microsecond()),
    )
}

/// To the second, for tables.
pub(crate) fn short(at: Timestamp) -> String {
    calendar(at).map_or_else(
        || at.as_micros().to_string(),
        |time| format!("{} {}", date(time), clock(time)),
    )
}

/// `None` for an instant that no calendar has.
fn calendar(at: Timestamp) -> Option<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.as_micros()) * 1_000).ok()
}

fn date(time: OffsetDateTime) -> String {
    format!("{:04}-{:02}-{:02}", time.year(), u8::from(time.month()), time.day())
}

fn clock(time: OffsetDateTime) -> String {
    format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_keeps_its_microseconds() {
        let at = Timestamp::from_micros(1_793_491_200_000_007);
        assert_eq!(exact(at), "2026-11-01T00:00:00.000007Z");
        assert_eq!(short(at), "2026-11-01 00:00:00");
    }
}
