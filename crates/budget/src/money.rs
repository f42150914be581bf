//! Money: whole nano-dollars, never a float.

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;

/// An amount of United States dollars in units of 10⁻⁹ dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct NanoUsd(i64);

/// The text is not an amount of dollars that can be kept exactly.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not an amount of dollars: give a decimal number from 0 to 9000000000 with at most \
     nine decimals, such as 2.50"
)]
pub struct InvalidMoney {
    text: String,
}

impl NanoUsd {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The most that is ever kept; sums stop there.
    pub const MAX: Self = Self(i64::MAX);

    /// The amount that many nano-dollars are.
    #[must_use]
    pub const fn new(nano_usd: i64) -> Self {
        Self(nano_usd)
    }

    /// The nano-dollars.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The sum, which stops at the ends of the range.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference, which stops at the ends of the range.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl fmt::Display for NanoUsd {
    /// Dollars as a decimal number without exponent or trailing zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&Decimal::new(self.0, 9).normalize().to_string())
    }
}

impl FromStr for NanoUsd {
    type Err = InvalidMoney;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid = || InvalidMoney { text: text.chars().take(40).collect() };
        let usd = Decimal::from_str_exact(text.trim()).map_err(|_| invalid())?;
        if usd.is_sign_negative() && !usd.is_zero() {
            return Err(invalid());
        }
        let nano = usd.checked_mul(Decimal::from(1_000_000_000_u64)).ok_or_else(invalid)?;
        if !nano.fract().is_zero() || nano > Decimal::from(9_000_000_000_000_000_000_u64) {
            return Err(invalid());
        }
        nano.to_i64().map(Self).ok_or_else(invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_read_and_shown_exactly() {
        for text in ["0", "0.001425", "2.5", "0.000000001", "9000000000"] {
            assert_eq!(text.parse::<NanoUsd>().unwrap().to_string(), text);
        }
        assert_eq!("1.50".parse::<NanoUsd>().unwrap(), NanoUsd::new(1_500_000_000));
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for text in ["", "-1", "nan", "inf", "1e400", "0.0000000001", "9000000001", "2,5", "NaN"] {
            assert!(text.parse::<NanoUsd>().is_err(), "{text}");
        }
    }
}
