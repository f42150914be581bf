//! What people may ask of a job, and what the job's state makes of it.

use crate::{Cause, State};

/// A request from outside the worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Control {
    /// Stop, keep everything, stand still.
    Pause,
    /// Go on after a pause.
    Resume,
    /// Stop for good.
    Cancel,
    /// Try a failed job again.
    Retry,
}

/// What a request comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Controlled {
    /// These transitions happen, in this order, in one commit.
    Transitions(&'static [Cause]),
    /// The job is already where the request wants it; nothing is written.
    Already,
    /// The job's state does not allow it.
    Refused(ControlRefusal),
}

/// Why a request was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ControlRefusal {
    /// The job is still finishing what was under way; ask again in a moment.
    #[error("the job is still pausing")]
    StillPausing,
    /// The job's state has no such transition.
    #[error("a job that is {0} does not allow this")]
    Illegal(State),
}

impl Control {
    /// What this request does to a job in `state`.
    #[must_use]
    pub const fn on(self, state: State) -> Controlled {
        match self {
            Self::Pause => pause(state),
            Self::Resume => resume(state),
            Self::Cancel => cancel(state),
            Self::Retry => retry(state),
        }
    }
}

const fn pause(state: State) -> Controlled {
    match state {
        State::Queued | State::RetryWait => {
            Controlled::Transitions(&[Cause::PauseRequested, Cause::Flushed])
        }
        State::Leased | State::Running => Controlled::Transitions(&[Cause::PauseRequested]),
        State::Pausing | State::Paused => Controlled::Already,
        State::Cancelling | State::Succeeded | State::Failed | State::Cancelled => {
            Controlled::Refused(ControlRefusal::Illegal(state))
        }
    }
}

const fn resume(state: State) -> Controlled {
    match state {
        State::Paused => Controlled::Transitions(&[Cause::Resumed]),
        State::Queued | State::Leased | State::Running => Controlled::Already,
        State::Pausing => Controlled::Refused(ControlRefusal::StillPausing),
        State::RetryWait
        | State::Cancelling
        | State::Succeeded
        | State::Failed
        | State::Cancelled => Controlled::Refused(ControlRefusal::Illegal(state)),
    }
}

const fn cancel(state: State) -> Controlled {
    match state {
        State::Queued | State::RetryWait | State::Paused => {
            Controlled::Transitions(&[Cause::CancelRequested, Cause::Flushed])
        }
        State::Leased | State::Running | State::Pausing => {
            Controlled::Transitions(&[Cause::CancelRequested])
        }
        State::Cancelling | State::Cancelled => Controlled::Already,
        State::Succeeded | State::Failed => Controlled::Refused(ControlRefusal::Illegal(state)),
    }
}

const fn retry(state: State) -> Controlled {
    match state {
        State::Failed => Controlled::Transitions(&[Cause::Retried]),
        State::Queued
        | State::Leased
        | State::Running
        | State::RetryWait
        | State::Pausing
        | State::Paused
        | State::Cancelling
        | State::Succeeded
        | State::Cancelled => Controlled::Refused(ControlRefusal::Illegal(state)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chain_of_transitions_is_legal() {
        for control in [Control::Pause, Control::Resume, Control::Cancel, Control::Retry] {
            for state in State::ALL {
                if let Controlled::Transitions(causes) = control.on(state) {
                    causes.iter().try_fold(state, |now, cause| now.after(*cause)).unwrap();
                }
            }
        }
    }

    #[test]
    fn a_cancel_after_success_is_refused() {
        let refused = Controlled::Refused(ControlRefusal::Illegal(State::Succeeded));
        assert_eq!(Control::Cancel.on(State::Succeeded), refused);
    }
}
