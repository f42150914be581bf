//! What a call costs on each axis that a hold reserves.

use std::time::Duration;

use crate::NanoUsd;

/// An axis that a budget can limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// Money.
    Cost,
    /// Requests to providers.
    Calls,
    /// Input tokens.
    InputTokens,
    /// Output tokens.
    OutputTokens,
    /// Time that the job ran.
    RunFor,
    /// Items that were started.
    Items,
}

impl Axis {
    /// Every axis.
    pub const ALL: [Self; 6] =
        [Self::Cost, Self::Calls, Self::InputTokens, Self::OutputTokens, Self::RunFor, Self::Items];

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cost => "cost",
            Self::Calls => "calls",
            Self::InputTokens => "input_tokens",
            Self::OutputTokens => "output_tokens",
            Self::RunFor => "run_for",
            Self::Items => "items",
        }
    }

    /// A number of this axis as people read it: dollars, a time, or a count.
    #[must_use]
    pub fn shown(self, number: i64) -> String {
        match self {
            Self::Cost => format!("{} USD", NanoUsd::new(number)),
            Self::RunFor => {
                format!("{:?}", Duration::from_micros(u64::try_from(number).unwrap_or(0)))
            }
            Self::Calls | Self::InputTokens | Self::OutputTokens | Self::Items => {
                number.to_string()
            }
        }
    }

    /// The bit that stands for this axis in a set of axes.
    #[must_use]
    pub const fn bit(self) -> u8 {
        match self {
            Self::Cost => 1,
            Self::Calls => 2,
            Self::InputTokens => 4,
            Self::OutputTokens => 8,
            Self::RunFor => 16,
            Self::Items => 32,
        }
    }
}

/// Amounts on the axes that calls spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amounts {
    /// Money.
    pub cost: NanoUsd,
    /// Requests.
    pub calls: i64,
    /// Input tokens.
    pub input_tokens: i64,
    /// Output tokens.
    pub output_tokens: i64,
}

impl Amounts {
    /// Nothing.
    pub const ZERO: Self =
        Self { cost: NanoUsd::ZERO, calls: 0, input_tokens: 0, output_tokens: 0 };

    /// The sum on each axis.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            cost: self.cost.plus(other.cost),
            calls: self.calls.saturating_add(other.calls),
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
        }
    }

    /// The difference on each axis.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self {
            cost: self.cost.minus(other.cost),
            calls: self.calls.saturating_sub(other.calls),
            input_tokens: self.input_tokens.saturating_sub(other.input_tokens),
            output_tokens: self.output_tokens.saturating_sub(other.output_tokens),
        }
    }

    /// The amount on one axis; zero on those that calls do not spend.
    #[must_use]
    pub const fn on(self, axis: Axis) -> i64 {
        match axis {
            Axis::Cost => self.cost.get(),
            Axis::Calls => self.calls,
            Axis::InputTokens => self.input_tokens,
            Axis::OutputTokens => self.output_tokens,
            Axis::RunFor | Axis::Items => 0,
        }
    }

    /// Whether any axis of `self` is above that of `other`.
    #[must_use]
    pub const fn exceeds(self, other: Self) -> bool {
        self.cost.get() > other.cost.get()
            || self.calls > other.calls
            || self.input_tokens > other.input_tokens
            || self.output_tokens > other.output_tokens
    }
}
