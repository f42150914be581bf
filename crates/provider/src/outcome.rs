//! What became of a call.

use koinon_budget::Usage;

use crate::Failure;

/// What became of a call, cut by what it may have cost.
#[must_use = "an outcome decides what happens to the hold of its call"]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// There is an answer, and it looks usable; charged.
    Answered(Answer),
    /// The provider answered completely, with success, and the answer is of no use; charged.
    Unusable {
        /// What is wrong with the answer.
        failure: Failure,
        /// What the provider says it used; `None` when it does not say.
        usage: Option<Usage>,
    },
    /// Nothing was charged.
    Released {
        /// Why there is no answer.
        failure: Failure,
        /// How far the request came.
        sent: Sent,
    },
    /// The request was sent, at least in part, and nobody knows whether it was charged.
    InDoubt {
        /// Why there is no answer.
        failure: Failure,
    },
}

/// A usable-looking answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The text.
    pub text: String,
    /// What the provider says it used; `None` when it does not say, or says what cannot be.
    pub usage: Option<Usage>,
    /// The provider's own id of the answer.
    pub response_id: Option<String>,
}

/// How far a request came that was not charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
    /// No byte of it was written.
    Before,
    /// The provider answered it with a complete refusal.
    Answered,
}

impl Outcome {
    /// Why the call has no usable answer, if it has none.
    #[must_use]
    pub const fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Answered(_) => None,
            Self::Unusable { failure, .. }
            | Self::Released { failure, .. }
            | Self::InDoubt { failure } => Some(failure),
        }
    }
}
