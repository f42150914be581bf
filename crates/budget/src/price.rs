//! What tokens cost.

use crate::{Amounts, NanoUsd, Usage};

/// The price of a model, in nano-dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    input: i64,
    cached_input: i64,
    output: i64,
}

const PER: i128 = 1_000_000;

impl Price {
    /// A price from the dollars that a million tokens cost. Cached input costs as much as other
    /// input where `cached_input` is `None`.
    #[must_use]
    pub fn per_million(input: NanoUsd, cached_input: Option<NanoUsd>, output: NanoUsd) -> Self {
        Self {
            input: input.get(),
            cached_input: cached_input.unwrap_or(input).get(),
            output: output.get(),
        }
    }

    /// The most that a call of so many tokens can cost: all input at its dearest rate.
    #[must_use]
    pub fn worst_case(&self, input_tokens: u64, output_tokens: u64) -> NanoUsd {
        let dearest = self.input.max(self.cached_input);
        total(&[(input_tokens, dearest), (output_tokens, self.output)])
    }

    /// What this usage costs: cached input once, at its own rate; rounded up to a nano-dollar.
    #[must_use]
    pub fn cost(&self, usage: Usage) -> NanoUsd {
        let cached = usage.cached_input_tokens.min(usage.input_tokens);
        total(&[
            (usage.input_tokens - cached, self.input),
            (cached, self.cached_input),
            (usage.output_tokens, self.output),
        ])
    }
}

fn total(parts: &[(u64, i64)]) -> NanoUsd {
    let sum: i128 =
        parts.iter().map(|(tokens, rate)| i128::from(*tokens) * i128::from(*rate)).sum();
    let rounded_up = (sum + PER - 1) / PER;
    NanoUsd::new(i64::try_from(rounded_up).unwrap_or(i64::MAX))
}

impl Amounts {
    /// What a call with this usage spends.
    #[must_use]
    pub fn of_call(cost: NanoUsd, usage: Usage) -> Self {
        Self {
            cost,
            calls: 1,
            input_tokens: i64::try_from(usage.input_tokens).unwrap_or(i64::MAX),
            output_tokens: i64::try_from(usage.output_tokens).unwrap_or(i64::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usd(text: &str) -> NanoUsd {
        text.parse().unwrap()
    }

    #[test]
    fn cached_tokens_are_priced_once_at_their_own_rate() {
        let price = Price::per_million(usd("0.15"), Some(usd("0.075")), usd("0.60"));
        let usage = Usage { input_tokens: 12_000, cached_input_tokens: 9_000, output_tokens: 500 };
        assert_eq!(price.cost(usage), usd("0.001425"));
    }

    #[test]
    fn a_fraction_of_a_nano_dollar_is_rounded_up() {
        let price = Price::per_million(NanoUsd::new(1), None, NanoUsd::ZERO);
        assert_eq!(price.cost(Usage { input_tokens: 1, ..Usage::default() }), NanoUsd::new(1));
        assert_eq!(price.cost(Usage::default()), NanoUsd::ZERO);
    }
}
