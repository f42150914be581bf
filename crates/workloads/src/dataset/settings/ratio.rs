//! The shares of the splits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How many of a hundred rows each split should get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitRatio {
    train: u8,
    validation: u8,
    test: u8,
}

impl Default for SplitRatio {
    fn default() -> Self {
        Self { train: 80, validation: 10, test: 10 }
    }
}

impl SplitRatio {
    /// The share of train, 1 to 100.
    #[must_use]
    pub const fn train(self) -> u8 {
        self.train
    }

    /// The share of validation.
    #[must_use]
    pub const fn validation(self) -> u8 {
        self.validation
    }

    /// The share of test.
    #[must_use]
    pub const fn test(self) -> u8 {
        self.test
    }
}

impl FromStr for SplitRatio {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let allowed =
            || "train/validation/test, whole numbers that sum to 100, train at least 1".to_owned();
        let parts: Option<Vec<u8>> =
            text.split('/').map(|part| part.trim().parse::<u8>().ok()).collect();
        match parts.as_deref() {
            Some(&[train, validation, test])
                if train > 0
                    && u16::from(train) + u16::from(validation) + u16::from(test) == 100 =>
            {
                Ok(Self { train, validation, test })
            }
            _ => Err(allowed()),
        }
    }
}

impl fmt::Display for SplitRatio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.train, self.validation, self.test)
    }
}
