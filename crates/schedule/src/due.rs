//! Which ticks make a job now.

use std::time::Duration;

use koinon_domain::Timestamp;

use crate::{Cadence, Missed};

/// A tick that is fired no later than this behind its instant is on time: it makes its job whatever the
/// policy. A later one was missed.
pub const LATE_FOR: Duration = Duration::from_secs(30);

/// With the policy `all`, so many missed ticks make a job at the most, the latest ones.
pub const MISSED_MAX: usize = 1000;

/// So many ticks of a schedule are fired in one transaction at the most; the others follow in the next.
pub const BATCH_MAX: usize = 100;

/// What a schedule does now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// The ticks that make a job now, the earliest first, [`BATCH_MAX`] at the most.
    pub ticks: Vec<Timestamp>,
    /// The next tick, which may be due already if there were more than [`BATCH_MAX`].
    pub next_at: Option<Timestamp>,
    /// Whether ticks were missed that make no job.
    pub skipped: bool,
}

/// What a schedule does at `now` that was added at `origin` and whose next tick was to be at `next_at`.
#[must_use]
pub fn due(
    cadence: &Cadence,
    missed: Missed,
    origin: Timestamp,
    next_at: Timestamp,
    now: Timestamp,
) -> Due {
    if next_at > now {
        return Due { ticks: Vec::new(), next_at: Some(next_at), skipped: false };
    }
    let on_time_from = Timestamp::from_micros(
        now.as_micros().saturating_sub(i64::try_from(LATE_FOR.as_micros()).unwrap_or(i64::MAX)),
    );
    let missed_max = match missed {
        Missed::Skip => 0,
        Missed::Once => 1,
        Missed::All => MISSED_MAX,
    };
    // Backwards from now, so that the work is bounded however long nobody was there.
    let (mut ticks, mut missed_count, mut skipped) = (Vec::new(), 0, false);
    let mut tick = last(cadence, origin, next_at, now);
    while let Some(at) = tick {
        if at < on_time_from {
            if missed_count == missed_max {
                skipped = true;
                break;
            }
            missed_count += 1;
        }
        ticks.push(at);
        tick = before(at).and_then(|until| last(cadence, origin, next_at, until));
    }
    ticks.reverse();
    let rest = (ticks.len() > BATCH_MAX).then(|| ticks.split_off(BATCH_MAX));
    let next_at = match rest {
        Some(rest) => rest.first().copied(),
        None => cadence.next(origin, now),
    };
    Due { ticks, next_at, skipped }
}

/// The last tick up to `until`, but none before the stored one. That one is a tick even if the rules of its
/// zone have changed since: it was announced.
fn last(
    cadence: &Cadence,
    origin: Timestamp,
    stored: Timestamp,
    until: Timestamp,
) -> Option<Timestamp> {
    if until < stored {
        return None;
    }
    Some(cadence.last(origin, until).map_or(stored, |tick| tick.max(stored)))
}

fn before(at: Timestamp) -> Option<Timestamp> {
    at.as_micros().checked_sub(1).map(Timestamp::from_micros)
}
