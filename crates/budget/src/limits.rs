//! What a job may spend.

use std::time::Duration;

use crate::{Axis, NanoUsd};

/// The limits of a job; `None` is no limit, zero allows nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Money.
    pub cost: Option<NanoUsd>,
    /// Requests to providers.
    pub calls: Option<u32>,
    /// Input tokens.
    pub input_tokens: Option<u64>,
    /// Output tokens.
    pub output_tokens: Option<u64>,
    /// Time that the job runs, over all its claims.
    pub run_for: Option<Duration>,
    /// Items that are started.
    pub items: Option<u32>,
}

impl Limits {
    /// The limit on one axis as a plain number: nano-dollars, counts, or microseconds.
    #[must_use]
    pub fn on(&self, axis: Axis) -> Option<i64> {
        match axis {
            Axis::Cost => self.cost.map(NanoUsd::get),
            Axis::Calls => self.calls.map(i64::from),
            Axis::InputTokens => self.input_tokens.map(|n| i64::try_from(n).unwrap_or(i64::MAX)),
            Axis::OutputTokens => self.output_tokens.map(|n| i64::try_from(n).unwrap_or(i64::MAX)),
            Axis::RunFor => {
                self.run_for.map(|time| i64::try_from(time.as_micros()).unwrap_or(i64::MAX))
            }
            Axis::Items => self.items.map(i64::from),
        }
    }

    /// These limits, where none is higher than what the ledger can count: a higher one is that limit.
    #[must_use]
    pub fn countable(self) -> Self {
        let most = Duration::from_micros(i64::MAX.unsigned_abs());
        Self {
            input_tokens: self.input_tokens.map(|tokens| tokens.min(i64::MAX.unsigned_abs())),
            output_tokens: self.output_tokens.map(|tokens| tokens.min(i64::MAX.unsigned_abs())),
            run_for: self.run_for.map(|time| time.min(most)),
            ..self
        }
    }

    /// These limits, each raised to that of `other` where that one is higher; a limit that `other`
    /// does not name stays.
    #[must_use]
    pub fn raised_by(self, other: Self) -> Self {
        Self {
            cost: raised(self.cost, other.cost),
            calls: raised(self.calls, other.calls),
            input_tokens: raised(self.input_tokens, other.input_tokens),
            output_tokens: raised(self.output_tokens, other.output_tokens),
            run_for: raised(self.run_for, other.run_for),
            items: raised(self.items, other.items),
        }
    }
}

/// The higher of two limits; no limit stays no limit.
fn raised<T: Ord>(current: Option<T>, asked: Option<T>) -> Option<T> {
    match (current, asked) {
        (Some(current), Some(asked)) => Some(current.max(asked)),
        (Some(current), None) => Some(current),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raising_never_lowers_a_limit_and_never_sets_one_where_there_is_none() {
        let current = Limits { calls: Some(5), ..Limits::default() };
        let asked = Limits { calls: Some(3), items: Some(9), ..Limits::default() };
        assert_eq!(current.raised_by(asked), current);
        let asked = Limits { calls: Some(8), ..Limits::default() };
        assert_eq!(current.raised_by(asked).calls, Some(8));
    }
}
