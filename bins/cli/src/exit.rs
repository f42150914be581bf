//! How the program ends, as its exit code tells.

use std::process::ExitCode;

use koinon::domain::State;

/// The exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// What was asked for is done.
    Succeeded,
    /// It could not be done.
    Failed,
    /// The command or the configuration is wrong.
    Usage,
    /// The job stands still, by request or for want of budget.
    Paused,
    /// The job was cancelled.
    Cancelled,
    /// The program was told to stop, and handed the job back.
    Interrupted,
}

impl Exit {
    /// The exit code that tells the state of a job in which nothing goes on; `None` while it goes on.
    pub(crate) const fn of(state: State) -> Option<Self> {
        match state {
            State::Succeeded => Some(Self::Succeeded),
            State::Failed => Some(Self::Failed),
            State::Paused => Some(Self::Paused),
            State::Cancelled => Some(Self::Cancelled),
            State::Queued
            | State::Leased
            | State::Running
            | State::RetryWait
            | State::Pausing
            | State::Cancelling => None,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Succeeded => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Paused => 3,
            Exit::Cancelled => 4,
            Exit::Interrupted => 130,
        })
    }
}
