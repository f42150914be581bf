//! When a schedule ticks.

use koinon_domain::Timestamp;

use crate::{Cron, Every};

/// When a schedule ticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cadence {
    /// By the calendar of a time zone.
    Cron(Cron),
    /// At a fixed interval from the instant at which the schedule was added.
    Every(Every),
}

impl Cadence {
    /// The first tick behind `after`, of a schedule that was added at `origin`. `None` if there is none
    /// any more.
    #[must_use]
    pub fn next(&self, origin: Timestamp, after: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Cron(cron) => cron.next(after),
            Self::Every(every) => every.next(origin, after),
        }
    }

    /// The last tick at or before `until`, of a schedule that was added at `origin`, and behind it.
    #[must_use]
    pub fn last(&self, origin: Timestamp, until: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Cron(cron) => cron.last(until).filter(|tick| *tick > origin),
            Self::Every(every) => every.last(origin, until),
        }
    }
}
