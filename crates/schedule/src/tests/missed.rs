//! Ticks that nobody was there for.

use std::time::Duration;

use koinon_domain::Timestamp;

use super::at;
use crate::{BATCH_MAX, Cadence, Cron, Every, MISSED_MAX, Missed, due};

const ORIGIN: &str = "2026-11-01T00:00:00Z";

fn every(secs: u64) -> Cadence {
    Cadence::Every(Every::try_new(Duration::from_secs(secs)).unwrap())
}

fn hourly() -> Cadence {
    Cadence::Cron(Cron::try_new("0 * * * *", "UTC").unwrap())
}

#[test]
fn a_tick_that_is_not_due_does_nothing() {
    let now = at("2026-11-01T00:59:59.999999Z");
    let due = due(&hourly(), Missed::All, at(ORIGIN), at("2026-11-01T01:00:00Z"), now);
    assert_eq!((due.ticks, due.next_at), (vec![], Some(at("2026-11-01T01:00:00Z"))));
}

#[test]
fn ticks_on_time_make_a_job_each_whatever_the_policy() {
    for missed in Missed::ALL {
        let now = at("2026-11-01T00:00:12.2Z");
        let due = due(&every(1), missed, at(ORIGIN), at("2026-11-01T00:00:10Z"), now);
        let expected =
            ["2026-11-01T00:00:10Z", "2026-11-01T00:00:11Z", "2026-11-01T00:00:12Z"].map(at);
        assert_eq!(due.ticks, expected, "{missed}");
        assert_eq!(due.next_at, Some(at("2026-11-01T00:00:13Z")));
        assert!(!due.skipped);
    }
}

#[test]
fn missed_ticks_go_by_the_policy() {
    let now = at("2026-11-01T05:30:00Z");
    let of = |missed| due(&hourly(), missed, at(ORIGIN), at("2026-11-01T02:00:00Z"), now);
    let hours = |hours: &[u32]| -> Vec<Timestamp> {
        hours.iter().map(|hour| at(&format!("2026-11-01T{hour:02}:00:00Z"))).collect()
    };
    assert_eq!(of(Missed::Skip).ticks, []);
    assert_eq!(of(Missed::Once).ticks, hours(&[5]));
    assert_eq!(of(Missed::All).ticks, hours(&[2, 3, 4, 5]));
    assert_eq!(
        Missed::ALL.map(|missed| of(missed).skipped),
        [true, true, false],
        "what makes no job is told"
    );
    for missed in Missed::ALL {
        assert_eq!(of(missed).next_at, Some(at("2026-11-01T06:00:00Z")));
    }
}

#[test]
fn one_missed_tick_makes_one_job_unless_it_is_skipped() {
    let now = at("2026-11-01T01:10:00Z");
    let of = |missed| due(&hourly(), missed, at(ORIGIN), at("2026-11-01T01:00:00Z"), now).ticks;
    assert_eq!(of(Missed::Skip), []);
    assert_eq!(of(Missed::Once), [at("2026-11-01T01:00:00Z")]);
    assert_eq!(of(Missed::All), [at("2026-11-01T01:00:00Z")]);
}

#[test]
fn all_is_bounded_and_comes_in_batches_the_earliest_first() {
    // A month of seconds: the work must not grow with it.
    let (origin, now) = (at(ORIGIN), at("2026-12-01T00:00:00Z"));
    let (mut next_at, mut fired) = (at("2026-11-01T00:00:01Z"), Vec::new());
    let mut skipped = Vec::new();
    while next_at <= now {
        let due = due(&every(1), Missed::All, origin, next_at, now);
        assert!(due.ticks.len() <= BATCH_MAX);
        fired.extend(due.ticks);
        skipped.push(due.skipped);
        next_at = due.next_at.unwrap();
    }
    // On time are the last 30 seconds, both ends included.
    assert_eq!(fired.len(), MISSED_MAX + 31);
    assert!(fired.is_sorted_by(|one, other| one < other));
    assert_eq!(fired.last(), Some(&now));
    assert!(skipped[0]);
    assert!(skipped[1..].iter().all(|skipped| !skipped));
}

#[test]
fn a_tick_that_was_announced_comes_though_the_rules_have_changed() {
    let announced = at("2026-11-01T01:30:00Z");
    let due = due(&hourly(), Missed::Skip, at(ORIGIN), announced, at("2026-11-01T01:30:05Z"));
    assert_eq!(due.ticks, [announced]);
    assert_eq!(due.next_at, Some(at("2026-11-01T02:00:00Z")));
}
