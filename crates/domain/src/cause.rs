//! What makes a job change its state.

/// The cause of a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A worker claimed the job.
    Claimed,
    /// The authority check passed and the workload runs.
    Started,
    /// The workload ended well.
    Succeeded,
    /// The workload ended for good.
    Failed,
    /// The workload failed in a way that another try may cure.
    Retryable,
    /// A worker gave the job back without judgement.
    HandedBack,
    /// The lease expired with attempts left.
    LeaseLost,
    /// The lease expired and the attempts are spent.
    WorkerLost,
    /// The instant of the next try has come.
    BackoffElapsed,
    /// Somebody asked for a pause.
    PauseRequested,
    /// A hold was refused for want of budget.
    BudgetExhausted,
    /// Everything under way has been written.
    Flushed,
    /// Somebody asked to go on.
    Resumed,
    /// Somebody asked for the end.
    CancelRequested,
    /// Somebody asked to try a failed job again.
    Retried,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Self; 15] = [
        Self::Claimed,
        Self::Started,
        Self::Succeeded,
        Self::Failed,
        Self::Retryable,
        Self::HandedBack,
        Self::LeaseLost,
        Self::WorkerLost,
        Self::BackoffElapsed,
        Self::PauseRequested,
        Self::BudgetExhausted,
        Self::Flushed,
        Self::Resumed,
        Self::CancelRequested,
        Self::Retried,
    ];

    /// The stable name, which is also the name of the transition's event.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Started => "started",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Retryable => "retryable",
            Self::HandedBack => "handed_back",
            Self::LeaseLost => "lease_lost",
            Self::WorkerLost => "worker_lost",
            Self::BackoffElapsed => "backoff_elapsed",
            Self::PauseRequested => "pause_requested",
            Self::BudgetExhausted => "budget_exhausted",
            Self::Flushed => "flushed",
            Self::Resumed => "resumed",
            Self::CancelRequested => "cancel_requested",
            Self::Retried => "retried",
        }
    }
}
