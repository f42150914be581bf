//! What is an expression, and what is wrong with the others.

use koinon_domain::{ErrorCode, Timestamp};

use super::at;
use crate::{Cadence, Cron, Invalid};

fn next(expression: &str, after: &str) -> Option<Timestamp> {
    let cadence = Cadence::Cron(Cron::try_new(expression, "UTC").unwrap());
    cadence.next(Timestamp::default(), at(after))
}

#[test]
fn five_fields_tick_at_second_zero_and_six_have_the_second_in_front() {
    assert_eq!(next("5 4 * * *", "2026-11-01T00:00:00Z"), Some(at("2026-11-01T04:05:00Z")));
    assert_eq!(next("30 5 4 * * *", "2026-11-01T00:00:00Z"), Some(at("2026-11-01T04:05:30Z")));
    assert_eq!(next("* * * * * *", "2026-11-01T00:00:00.5Z"), Some(at("2026-11-01T00:00:01Z")));
    assert_eq!(next("@daily", "2026-11-01T00:00:00Z"), Some(at("2026-11-02T00:00:00Z")));
    assert_eq!(next("0 9 * * MON", "2026-11-01T00:00:00Z"), Some(at("2026-11-02T09:00:00Z")));
}

#[test]
fn a_tick_lies_behind_the_instant_and_never_at_it() {
    assert_eq!(next("0 0 * * *", "2026-11-01T00:00:00Z"), Some(at("2026-11-02T00:00:00Z")));
    assert_eq!(next("0 0 * * *", "2026-11-01T00:00:00.000001Z"), Some(at("2026-11-02T00:00:00Z")));
    assert_eq!(next("0 0 * * *", "2026-10-31T23:59:59.999999Z"), Some(at("2026-11-01T00:00:00Z")));
}

#[test]
fn an_expression_is_kept_with_single_spaces() {
    assert_eq!(Cron::try_new("  0   3 * * *", "UTC").unwrap().expression(), "0 3 * * *");
}

#[test]
fn a_wrong_field_is_named() {
    for (expression, expected) in [
        ("61 * * * *", "minute"),
        ("* 24 * * *", "hour"),
        ("* * 32 * *", "day of month"),
        ("* * * 13 *", "month"),
        ("* * * * 8", "day of week"),
        ("60 * * * * *", "second"),
        ("x * * * *", "minute"),
        ("* @daily * * *", "hour"),
        ("0 5-1 * * *", "hour"),
        ("*/0 * * * *", "minute"),
    ] {
        let error = Cron::try_new(expression, "UTC").unwrap_err();
        assert!(
            matches!(&error, Invalid::Field { field, .. } if *field == expected),
            "{expression}: {error}"
        );
        assert_eq!(error.code(), ErrorCode::INVALID_CRON);
    }
}

#[test]
fn what_has_other_fields_or_never_comes_is_refused_as_a_whole() {
    for expression in
        ["", "* * * *", "* * * * * * *", "@fortnightly", "0 0 30 2 *", &"0 ".repeat(300)]
    {
        let error = Cron::try_new(expression, "UTC").unwrap_err();
        assert!(matches!(error, Invalid::Expression { .. }), "{expression}: {error}");
    }
}

#[test]
fn an_unknown_zone_is_refused() {
    for zone in ["Europe/Atlantis", "", "../etc/passwd", "+02:00"] {
        let error = Cron::try_new("* * * * *", zone).unwrap_err();
        assert_eq!(error.code(), ErrorCode::UNKNOWN_TIME_ZONE, "{zone}");
    }
}
