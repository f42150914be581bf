//! An example on its way to a row, one type for what each stage knows of it.

use serde::{Deserialize, Serialize};

use crate::dataset::answer::Draft;
use crate::dataset::plan::PlannedItem;
use crate::dataset::quarantine::Quarantined;
use crate::dataset::span::Span;

/// A planned item and its well-formed answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// What was planned.
    pub item: PlannedItem,
    /// What the model wrote.
    pub draft: Draft,
    /// The SHA-256 of stage, item key and request digest, in hexadecimal digits.
    pub call: String,
}

/// A candidate whose quote was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grounded {
    /// As it came, except that the quote is as it stands in the source, white space collapsed.
    pub candidate: Candidate,
    /// Where the quote stands in the document's bytes.
    pub span: Span,
}

/// A grounded candidate with its score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scored {
    /// What was scored.
    pub grounded: Grounded,
    /// How good it is.
    pub score: Score,
    /// What lowered the score, in words.
    pub reasons: Vec<String>,
}

impl Scored {
    pub(crate) fn quarantine(self, stage: &str, reason: &str, message: String) -> Quarantined {
        Quarantined::with_draft(self.grounded.candidate, stage, reason, message)
    }
}

/// A score from 0.00 to 1.00, in whole hundredths so that no float decides anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Score(u8);

impl Score {
    /// So many hundredths; above 100 counts as 100.
    #[must_use]
    pub const fn from_hundredths(hundredths: u8) -> Self {
        Self(if hundredths > 100 { 100 } else { hundredths })
    }

    /// The hundredths.
    #[must_use]
    pub const fn hundredths(self) -> u8 {
        self.0
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}
