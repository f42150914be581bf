//! What is to become of a job after a failure.

use crate::Class;

/// The verdict on a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Wait, then try again.
    Retry,
    /// Stand still until somebody resumes the job.
    Pause,
    /// End the job.
    Fail,
    /// Write nothing: the job belongs to somebody else.
    Abandon,
    /// Give the job back without judgement.
    HandBack,
}

impl Class {
    /// The verdict on this class of failure when `attempt` of `max_attempts` are used.
    #[must_use]
    pub const fn verdict(self, attempt: u32, max_attempts: u32) -> Verdict {
        match self {
            Self::Transient | Self::InvalidOutput | Self::Provider { retryable: true } => {
                if attempt < max_attempts { Verdict::Retry } else { Verdict::Fail }
            }
            Self::BudgetExhausted => Verdict::Pause,
            Self::QuotaExhausted
            | Self::PolicyBlock
            | Self::Permanent
            | Self::AuthorityLost
            | Self::UnresolvedAuthority
            | Self::WorkerLost
            | Self::Provider { retryable: false } => Verdict::Fail,
            Self::LeaseLost => Verdict::Abandon,
            Self::Interrupted => Verdict::HandBack,
        }
    }

    /// Whether another try by itself may cure it.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        matches!(self.verdict(0, 1), Verdict::Retry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_retryable_failure_is_retried_until_the_attempts_are_spent() {
        assert_eq!(Class::Transient.verdict(2, 3), Verdict::Retry);
        assert_eq!(Class::Transient.verdict(3, 3), Verdict::Fail);
        assert_eq!(Class::QuotaExhausted.verdict(1, 3), Verdict::Fail);
    }

    #[test]
    fn only_the_three_retryable_classes_are_retried() {
        let retried: Vec<_> = Class::ALL
            .into_iter()
            .filter(|class| class.is_retryable())
            .map(Class::as_str)
            .collect();
        assert_eq!(retried, ["transient", "provider", "invalid_output"]);
    }
}
