//! What becomes of ticks that nobody was there for.

use std::fmt;
use std::str::FromStr;

/// What becomes of ticks that nobody was there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Missed {
    /// They make no job.
    Skip,
    /// The latest of them makes one job for all.
    #[default]
    Once,
    /// Each makes its job, the latest [`MISSED_MAX`](crate::MISSED_MAX) at the most.
    All,
}

/// The text names no policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("missed ticks are handled by skip, once or all")]
pub struct UnknownMissed;

impl Missed {
    /// Every policy.
    pub const ALL: [Self; 3] = [Self::Skip, Self::Once, Self::All];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::Once => "once",
            Self::All => "all",
        }
    }
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Missed {
    type Err = UnknownMissed;

    fn from_str(text: &str) -> Result<Self, UnknownMissed> {
        Self::ALL.into_iter().find(|missed| missed.as_str() == text).ok_or(UnknownMissed)
    }
}
