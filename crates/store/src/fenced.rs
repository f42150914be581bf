//! The three answers of a guarded write.

use koinon_budget::Exceeded;
use koinon_domain::Timestamp;

/// What became of a held write.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a lost fence or a refusal must be acted on"]
pub enum Fenced<T> {
    /// Written.
    Applied(T),
    /// The job belongs to another generation or owner now: write nothing more.
    Stale,
    /// The fence held, and a rule refused the write; nothing of it was written.
    Refused(Refusal),
}

/// What the store asks of the worker that holds a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Nothing.
    Continue,
    /// Start nothing new, flush, and end as paused.
    Pause,
    /// Start nothing new, and end as cancelled.
    Cancel,
    /// A limit is overrun: start nothing new, and end by the budget.
    OverBudget(Exceeded),
}

/// Why the store refused a held write.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A limit does not allow the hold or the item.
    #[error(transparent)]
    BudgetExceeded(#[from] Exceeded),
    /// The lease has expired, so that no hold may be opened, though nobody has overtaken it.
    #[error("the lease expired at {}", at.as_micros())]
    LeaseExpired {
        /// When.
        at: Timestamp,
    },
    /// The job was asked to pause or cancel.
    #[error("the job was asked to stop")]
    Signalled(Signal),
    /// The model has no price, and the job has a cost limit.
    #[error("{provider}/{model} has no price, and the job has a cost limit")]
    PriceUnknown {
        /// The provider.
        provider: String,
        /// The model.
        model: String,
    },
    /// The job's authority no longer holds.
    #[error("the job's authority no longer holds")]
    AuthorityLost,
}
