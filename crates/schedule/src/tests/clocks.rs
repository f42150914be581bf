//! What happens where a zone moves its clocks.

use koinon_domain::Timestamp;

use super::at;
use crate::{Cadence, Cron};

fn cadence(expression: &str, zone: &str) -> Cadence {
    Cadence::Cron(Cron::try_new(expression, zone).unwrap())
}

/// The ticks behind `from`, up to `to`; walked in both directions, which have to agree.
fn ticks(expression: &str, zone: &str, from: &str, to: &str) -> Vec<Timestamp> {
    let (cadence, origin) = (cadence(expression, zone), Timestamp::default());
    let (from, to) = (at(from), at(to));
    let forward: Vec<_> =
        std::iter::successors(cadence.next(origin, from), |tick| cadence.next(origin, *tick))
            .take_while(|tick| *tick <= to)
            .collect();
    let before = |tick: Timestamp| Timestamp::from_micros(tick.as_micros() - 1);
    let mut backward: Vec<_> =
        std::iter::successors(cadence.last(origin, to), |tick| cadence.last(origin, before(*tick)))
            .take_while(|tick| *tick > from)
            .collect();
    backward.reverse();
    assert_eq!(forward, backward);
    forward
}

fn all(texts: &[&str]) -> Vec<Timestamp> {
    texts.iter().map(|text| at(text)).collect()
}

// Berlin goes from 02:00 to 03:00 on 2027-03-28, at 01:00 UTC, and from 03:00 back to 02:00 on
// 2026-10-25, at 01:00 UTC.

#[test]
fn a_daily_time_that_does_not_exist_ticks_at_the_first_instant_behind_the_gap() {
    let found =
        ticks("30 2 * * *", "Europe/Berlin", "2027-03-26T12:00:00Z", "2027-03-29T12:00:00Z");
    // 02:30 in winter is 01:30 UTC; on the 28th 03:00 in summer is 01:00 UTC; then 02:30 is 00:30 UTC.
    let expected = ["2027-03-27T01:30:00Z", "2027-03-28T01:00:00Z", "2027-03-29T00:30:00Z"];
    assert_eq!(found, all(&expected));
}

#[test]
fn a_daily_time_that_exists_twice_ticks_at_the_first_of_the_two() {
    let found =
        ticks("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z");
    assert_eq!(found, all(&["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]));
}

#[test]
fn a_daily_time_outside_of_the_change_keeps_its_local_time() {
    let found = ticks("0 3 * * *", "Europe/Berlin", "2027-03-27T12:00:00Z", "2027-03-29T12:00:00Z");
    assert_eq!(found, all(&["2027-03-28T01:00:00Z", "2027-03-29T01:00:00Z"]));
}

#[test]
fn what_ticks_all_day_leaves_out_the_gap() {
    let found =
        ticks("*/30 * * * *", "Europe/Berlin", "2027-03-28T00:00:00Z", "2027-03-28T02:00:00Z");
    // 01:30, then 03:00, 03:30 and 04:00 in local time: no hour is silent, and none is told twice.
    let expected = [
        "2027-03-28T00:30:00Z",
        "2027-03-28T01:00:00Z",
        "2027-03-28T01:30:00Z",
        "2027-03-28T02:00:00Z",
    ];
    assert_eq!(found, all(&expected));
}

#[test]
fn what_ticks_all_day_ticks_in_both_halves_of_the_hour_that_comes_twice() {
    let found =
        ticks("*/30 * * * *", "Europe/Berlin", "2026-10-24T23:30:00Z", "2026-10-25T02:00:00Z");
    let expected = [
        "2026-10-25T00:00:00Z",
        "2026-10-25T00:30:00Z",
        "2026-10-25T01:00:00Z",
        "2026-10-25T01:30:00Z",
        "2026-10-25T02:00:00Z",
    ];
    assert_eq!(found, all(&expected));
}

#[test]
fn a_list_of_hours_counts_as_all_day() {
    // Not one number: the missing time is left out, and the one that comes twice ticks twice.
    let spring =
        ticks("30 2,14 * * *", "Europe/Berlin", "2027-03-28T00:00:00Z", "2027-03-28T23:00:00Z");
    assert_eq!(spring, all(&["2027-03-28T12:30:00Z"]));
    let autumn =
        ticks("30 2,14 * * *", "Europe/Berlin", "2026-10-24T23:00:00Z", "2026-10-25T12:00:00Z");
    assert_eq!(autumn, all(&["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]));
}

#[test]
fn a_zone_that_moves_by_half_an_hour_is_followed() {
    // Lord Howe goes from 02:00 to 02:30 on 2026-10-04, at 15:30 UTC of the day before.
    let found =
        ticks("15 2 * * *", "Australia/Lord_Howe", "2026-10-02T12:00:00Z", "2026-10-04T16:00:00Z");
    let expected = ["2026-10-02T15:45:00Z", "2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"];
    assert_eq!(found, all(&expected));
}

#[test]
fn a_day_that_a_zone_left_out_has_no_tick() {
    // Samoa had no 2011-12-30.
    let found = ticks("0 12 * * *", "Pacific/Apia", "2011-12-29T00:00:00Z", "2012-01-01T00:00:00Z");
    // Noon is 22:00 UTC before the missing day, at -10, and 22:00 UTC of the day before after it, at +14.
    assert_eq!(
        found,
        all(&["2011-12-29T22:00:00Z", "2011-12-30T22:00:00Z", "2011-12-31T22:00:00Z"])
    );
}
