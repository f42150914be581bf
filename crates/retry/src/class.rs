//! The classes that every failure is sorted into.

/// What kind of failure happened, as far as the job's next step depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Likely to pass by itself: timeouts, lost connections, 429 with capacity, 5xx.
    Transient,
    /// The provider itself said whether another try can help.
    Provider {
        /// Whether it can.
        retryable: bool,
    },
    /// The provider's own quota or billing is used up.
    QuotaExhausted,
    /// A hold was refused because the job's budget does not allow it.
    BudgetExhausted,
    /// A rule forbids the work: personal data, a blocked licence, a content filter.
    PolicyBlock,
    /// The provider answered, and the answer is of no use.
    InvalidOutput,
    /// The work can never succeed as it was asked for.
    Permanent,
    /// The authority that the job was submitted under no longer holds.
    AuthorityLost,
    /// The job has no authority that can be proven.
    UnresolvedAuthority,
    /// Another worker has the job now.
    LeaseLost,
    /// The worker that ran the job is gone.
    WorkerLost,
    /// The worker is draining.
    Interrupted,
}

impl Class {
    /// Every class; `Provider` stands here once for each of its two marks.
    pub const ALL: [Self; 13] = [
        Self::Transient,
        Self::Provider { retryable: true },
        Self::Provider { retryable: false },
        Self::QuotaExhausted,
        Self::BudgetExhausted,
        Self::PolicyBlock,
        Self::InvalidOutput,
        Self::Permanent,
        Self::AuthorityLost,
        Self::UnresolvedAuthority,
        Self::LeaseLost,
        Self::WorkerLost,
        Self::Interrupted,
    ];

    /// The stable name, which is also the error code of a failure that has no closer one.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Transient => "transient",
            Self::Provider { .. } => "provider",
            Self::QuotaExhausted => "quota_exhausted",
            Self::BudgetExhausted => "budget_exhausted",
            Self::PolicyBlock => "policy_block",
            Self::InvalidOutput => "invalid_output",
            Self::Permanent => "permanent",
            Self::AuthorityLost => "authority_lost",
            Self::UnresolvedAuthority => "unresolved_authority",
            Self::LeaseLost => "lease_lost",
            Self::WorkerLost => "worker_lost",
            Self::Interrupted => "interrupted",
        }
    }
}
