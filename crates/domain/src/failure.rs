//! Why a job failed, waits or paused, as it is stored and shown.

use std::fmt;

use crate::ErrorCode;
use crate::text::clean;

/// A sentence about an error: bounded valid text without control characters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ErrorSummary(String);

impl ErrorSummary {
    /// The most bytes that a summary has.
    pub const MAX_BYTES: usize = 1_000;

    /// Cleans and bounds the text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(clean(text, Self::MAX_BYTES))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ErrorSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The reason that stands on a job: a stable code and a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// The stable code.
    pub code: ErrorCode,
    /// The sentence for people.
    pub summary: ErrorSummary,
}

impl Failed {
    /// A reason from its two parts.
    #[must_use]
    pub fn new(code: ErrorCode, summary: &str) -> Self {
        Self { code, summary: ErrorSummary::new(summary) }
    }
}
