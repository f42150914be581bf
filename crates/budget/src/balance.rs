//! The arithmetic of holds: what is spent, reserved and in doubt, and what a limit allows.

use std::time::Duration;

use crate::{Amounts, Axis, Limits};

/// The accumulators of a job. Each is the sum of its ledger entries.
///
/// An amount stands in exactly one of `spent`, `reserved` and `in_doubt`; a limit holds on their sum
/// (ADR 0004).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Balance {
    /// What settled and reconciled calls cost.
    pub spent: Amounts,
    /// The worst case of the calls that are under way.
    pub reserved: Amounts,
    /// The worst case of the calls whose outcome is unknown.
    pub in_doubt: Amounts,
    /// Time that the job ran.
    pub run_for: Duration,
    /// Items that were started.
    pub items: i64,
}

/// A limit does not allow what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the limit on {} is {}: {} spent, {} reserved or in doubt, {} asked",
    axis.as_str(), axis.shown(*limit), axis.shown(*spent), axis.shown(*reserved), axis.shown(*asked)
)]
pub struct Exceeded {
    /// The axis.
    pub axis: Axis,
    /// Its limit, in the axis' plain numbers (nano-dollars, counts, microseconds).
    pub limit: i64,
    /// What is spent of it.
    pub spent: i64,
    /// What is reserved or in doubt.
    pub reserved: i64,
    /// What was asked for.
    pub asked: i64,
}

/// A mark of a limit that spending can reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Four fifths of the limit.
    Percent80,
    /// The whole limit.
    Percent100,
}

impl Mark {
    /// The percentage.
    #[must_use]
    pub const fn percent(self) -> u8 {
        match self {
            Self::Percent80 => 80,
            Self::Percent100 => 100,
        }
    }
}

impl Balance {
    /// Checks that a hold of `asked` fits under every limit.
    ///
    /// # Errors
    ///
    /// The first axis, in the order of [`Axis::ALL`], whose limit it would pass.
    pub fn check(&self, limits: &Limits, asked: Amounts) -> Result<(), Exceeded> {
        Axis::ALL.into_iter().try_for_each(|axis| self.check_axis(limits, axis, asked.on(axis)))
    }

    /// Checks that `count` more items fit under the limit on items.
    ///
    /// # Errors
    ///
    /// [`Exceeded`] if they do not.
    pub fn check_items(&self, limits: &Limits, count: i64) -> Result<(), Exceeded> {
        self.check_axis(limits, Axis::Items, count)
    }

    fn check_axis(&self, limits: &Limits, axis: Axis, asked: i64) -> Result<(), Exceeded> {
        let Some(limit) = limits.on(axis) else { return Ok(()) };
        let spent = self.spent_on(axis);
        let reserved = self.reserved.on(axis).saturating_add(self.in_doubt.on(axis));
        let total = spent.saturating_add(reserved).saturating_add(asked);
        // Time runs by itself and asks for nothing, so there the limit itself already refuses.
        let refused = if axis == Axis::RunFor { total >= limit } else { total > limit };
        // An axis of which nothing is asked does not stand in the way of the others.
        if refused && (asked > 0 || axis == Axis::RunFor) {
            return Err(Exceeded { axis, limit, spent, reserved, asked });
        }
        Ok(())
    }

    /// What is spent on one axis, in its plain numbers.
    #[must_use]
    pub fn spent_on(&self, axis: Axis) -> i64 {
        match axis {
            Axis::RunFor => i64::try_from(self.run_for.as_micros()).unwrap_or(i64::MAX),
            Axis::Items => self.items,
            Axis::Cost | Axis::Calls | Axis::InputTokens | Axis::OutputTokens => {
                self.spent.on(axis)
            }
        }
    }

    /// The axis whose limit is overrun by what is spent, reserved and in doubt, if there is one.
    #[must_use]
    pub fn overrun(&self, limits: &Limits) -> Option<Axis> {
        Axis::ALL.into_iter().find(|axis| {
            let held = self.reserved.on(*axis).saturating_add(self.in_doubt.on(*axis));
            let total = self.spent_on(*axis).saturating_add(held);
            limits.on(*axis).is_some_and(|limit| total > limit)
        })
    }

    /// The highest mark of the limit on `axis` that spending has reached.
    #[must_use]
    pub fn mark(&self, limits: &Limits, axis: Axis) -> Option<Mark> {
        let limit = i128::from(limits.on(axis)?);
        let spent = i128::from(self.spent_on(axis)) + i128::from(self.in_doubt.on(axis));
        if spent >= limit {
            Some(Mark::Percent100)
        } else if spent * 100 >= limit * 80 {
            Some(Mark::Percent80)
        } else {
            None
        }
    }

    /// Opens a hold.
    pub const fn reserve(&mut self, held: Amounts) {
        self.reserved = self.reserved.plus(held);
    }

    /// Ends an open hold with what it cost.
    pub const fn settle(&mut self, held: Amounts, cost: Amounts) {
        self.reserved = self.reserved.minus(held);
        self.spent = self.spent.plus(cost);
    }

    /// Ends an open hold whose outcome is unknown; it stays charged.
    pub const fn doubt(&mut self, held: Amounts) {
        self.reserved = self.reserved.minus(held);
        self.in_doubt = self.in_doubt.plus(held);
    }

    /// Ends an in-doubt hold with what it turned out to cost.
    pub const fn reconcile(&mut self, held: Amounts, cost: Amounts) {
        self.in_doubt = self.in_doubt.minus(held);
        self.spent = self.spent.plus(cost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NanoUsd;

    fn cost(nano: i64) -> Amounts {
        Amounts { cost: NanoUsd::new(nano), calls: 1, ..Amounts::ZERO }
    }

    fn limits(nano: i64) -> Limits {
        Limits { cost: Some(NanoUsd::new(nano)), ..Limits::default() }
    }

    #[test]
    fn a_hold_is_refused_when_spent_reserved_and_doubtful_would_pass_the_limit() {
        let mut balance = Balance::default();
        balance.reserve(cost(40));
        balance.settle(cost(40), cost(30));
        balance.reserve(cost(30));
        balance.doubt(cost(30));
        balance.reserve(cost(20));
        assert_eq!(balance.check(&limits(100), cost(20)), Ok(()));
        let exceeded = balance.check(&limits(100), cost(21)).unwrap_err();
        let wanted = Exceeded { axis: Axis::Cost, limit: 100, spent: 30, reserved: 50, asked: 21 };
        assert_eq!(exceeded, wanted);
    }

    #[test]
    fn a_refusal_is_told_in_the_units_of_people() {
        let refused = |axis, limit| Exceeded { axis, limit, spent: 1, reserved: 0, asked: 2 };
        assert_eq!(
            refused(Axis::Cost, 50_000_000).to_string(),
            "the limit on cost is 0.05 USD: 0.000000001 USD spent, 0 USD reserved or in doubt, \
             0.000000002 USD asked"
        );
        assert_eq!(
            refused(Axis::Calls, 3).to_string(),
            "the limit on calls is 3: 1 spent, 0 reserved or in doubt, 2 asked"
        );
        assert!(refused(Axis::RunFor, 1_500_000).to_string().contains("is 1.5s:"));
    }

    #[test]
    fn a_limit_of_zero_allows_a_call_that_costs_nothing() {
        assert_eq!(Balance::default().check(&limits(0), cost(0)), Ok(()));
        assert!(Balance::default().check(&limits(0), cost(1)).is_err());
    }

    #[test]
    fn the_time_limit_refuses_as_soon_as_it_is_reached() {
        let limits = Limits { run_for: Some(Duration::from_secs(1)), ..Limits::default() };
        let balance = Balance { run_for: Duration::from_secs(1), ..Balance::default() };
        assert_eq!(balance.check(&limits, cost(0)).unwrap_err().axis, Axis::RunFor);
    }

    #[test]
    fn marks_are_reached_at_four_fifths_and_at_the_whole() {
        let mut balance = Balance::default();
        balance.settle(Amounts::ZERO, cost(79));
        assert_eq!(balance.mark(&limits(100), Axis::Cost), None);
        balance.settle(Amounts::ZERO, cost(1));
        assert_eq!(balance.mark(&limits(100), Axis::Cost), Some(Mark::Percent80));
        balance.settle(Amounts::ZERO, cost(20));
        assert_eq!(balance.mark(&limits(100), Axis::Cost), Some(Mark::Percent100));
    }
}
