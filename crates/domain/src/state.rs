//! The ten states of a job.

use std::fmt;
use std::str::FromStr;

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Waits to be claimed.
    Queued,
    /// Claimed, not started yet.
    Leased,
    /// Its workload runs.
    Running,
    /// Waits for the instant of its next try.
    RetryWait,
    /// Asked to pause; what is under way is being finished.
    Pausing,
    /// Stands still until it is resumed.
    Paused,
    /// Asked to cancel; what is under way is being ended.
    Cancelling,
    /// Ended well.
    Succeeded,
    /// Ended badly; only an explicit retry brings it back.
    Failed,
    /// Ended by request.
    Cancelled,
}

/// The text names no state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no such state; there are: {}", State::ALL.map(State::as_str).join(", "))]
pub struct InvalidState;

impl State {
    /// Every state.
    pub const ALL: [Self; 10] = [
        Self::Queued,
        Self::Leased,
        Self::Running,
        Self::RetryWait,
        Self::Pausing,
        Self::Paused,
        Self::Cancelling,
        Self::Succeeded,
        Self::Failed,
        Self::Cancelled,
    ];

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Leased => "leased",
            Self::Running => "running",
            Self::RetryWait => "retry_wait",
            Self::Pausing => "pausing",
            Self::Paused => "paused",
            Self::Cancelling => "cancelling",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether the job has ended.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled)
    }

    /// Whether a worker holds the job, so that held writes are possible.
    #[must_use]
    pub const fn is_held(self) -> bool {
        matches!(self, Self::Leased | Self::Running | Self::Pausing | Self::Cancelling)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for State {
    type Err = InvalidState;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|state| state.as_str() == text).ok_or(InvalidState)
    }
}
