//! The state machine: the one table that decides a job's next state.

use crate::{Cause, State};

/// The state machine has no transition for this cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a job that is {from} cannot become anything by {}", cause.as_str())]
pub struct JobStateError {
    /// The state that the job is in.
    pub from: State,
    /// What was to happen.
    pub cause: Cause,
}

impl State {
    /// The state after `cause`.
    ///
    /// # Errors
    ///
    /// [`JobStateError`] if the table has no such transition.
    pub const fn after(self, cause: Cause) -> Result<Self, JobStateError> {
        let next = match self {
            Self::Queued => after_queued(cause),
            Self::Leased => after_leased(cause),
            Self::Running => after_running(cause),
            Self::RetryWait => after_retry_wait(cause),
            Self::Pausing => after_pausing(cause),
            Self::Paused => after_paused(cause),
            Self::Cancelling => after_cancelling(cause),
            Self::Failed => after_failed(cause),
            Self::Succeeded | Self::Cancelled => None,
        };
        match next {
            Some(state) => Ok(state),
            None => Err(JobStateError { from: self, cause }),
        }
    }
}

const fn after_queued(cause: Cause) -> Option<State> {
    match cause {
        Cause::Claimed => Some(State::Leased),
        Cause::PauseRequested => Some(State::Pausing),
        Cause::CancelRequested => Some(State::Cancelling),
        Cause::Started
        | Cause::Succeeded
        | Cause::Failed
        | Cause::Retryable
        | Cause::HandedBack
        | Cause::LeaseLost
        | Cause::WorkerLost
        | Cause::BackoffElapsed
        | Cause::BudgetExhausted
        | Cause::Flushed
        | Cause::Resumed
        | Cause::Retried => None,
    }
}

const fn after_leased(cause: Cause) -> Option<State> {
    match cause {
        Cause::Started => Some(State::Running),
        Cause::Failed | Cause::WorkerLost => Some(State::Failed),
        Cause::Retryable => Some(State::RetryWait),
        Cause::HandedBack | Cause::LeaseLost => Some(State::Queued),
        Cause::PauseRequested | Cause::BudgetExhausted => Some(State::Pausing),
        Cause::CancelRequested => Some(State::Cancelling),
        Cause::Claimed
        | Cause::Succeeded
        | Cause::BackoffElapsed
        | Cause::Flushed
        | Cause::Resumed
        | Cause::Retried => None,
    }
}

const fn after_running(cause: Cause) -> Option<State> {
    match cause {
        Cause::Succeeded => Some(State::Succeeded),
        Cause::Failed | Cause::WorkerLost => Some(State::Failed),
        Cause::Retryable => Some(State::RetryWait),
        Cause::HandedBack | Cause::LeaseLost => Some(State::Queued),
        Cause::PauseRequested | Cause::BudgetExhausted => Some(State::Pausing),
        Cause::CancelRequested => Some(State::Cancelling),
        Cause::Claimed
        | Cause::Started
        | Cause::BackoffElapsed
        | Cause::Flushed
        | Cause::Resumed
        | Cause::Retried => None,
    }
}

const fn after_retry_wait(cause: Cause) -> Option<State> {
    match cause {
        Cause::BackoffElapsed => Some(State::Queued),
        Cause::PauseRequested => Some(State::Pausing),
        Cause::CancelRequested => Some(State::Cancelling),
        Cause::Claimed
        | Cause::Started
        | Cause::Succeeded
        | Cause::Failed
        | Cause::Retryable
        | Cause::HandedBack
        | Cause::LeaseLost
        | Cause::WorkerLost
        | Cause::BudgetExhausted
        | Cause::Flushed
        | Cause::Resumed
        | Cause::Retried => None,
    }
}

const fn after_pausing(cause: Cause) -> Option<State> {
    match cause {
        Cause::Flushed
        | Cause::Succeeded
        | Cause::Retryable
        | Cause::HandedBack
        | Cause::BudgetExhausted
        | Cause::LeaseLost
        | Cause::WorkerLost => Some(State::Paused),
        Cause::Failed => Some(State::Failed),
        Cause::CancelRequested => Some(State::Cancelling),
        Cause::Claimed
        | Cause::Started
        | Cause::BackoffElapsed
        | Cause::PauseRequested
        | Cause::Resumed
        | Cause::Retried => None,
    }
}

const fn after_paused(cause: Cause) -> Option<State> {
    match cause {
        Cause::Resumed => Some(State::Queued),
        Cause::CancelRequested => Some(State::Cancelling),
        Cause::Claimed
        | Cause::Started
        | Cause::Succeeded
        | Cause::Failed
        | Cause::Retryable
        | Cause::HandedBack
        | Cause::LeaseLost
        | Cause::WorkerLost
        | Cause::BackoffElapsed
        | Cause::PauseRequested
        | Cause::BudgetExhausted
        | Cause::Flushed
        | Cause::Retried => None,
    }
}

const fn after_cancelling(cause: Cause) -> Option<State> {
    match cause {
        Cause::Succeeded
        | Cause::Failed
        | Cause::Retryable
        | Cause::HandedBack
        | Cause::BudgetExhausted
        | Cause::Flushed
        | Cause::LeaseLost
        | Cause::WorkerLost => Some(State::Cancelled),
        Cause::Claimed
        | Cause::Started
        | Cause::BackoffElapsed
        | Cause::PauseRequested
        | Cause::Resumed
        | Cause::CancelRequested
        | Cause::Retried => None,
    }
}

const fn after_failed(cause: Cause) -> Option<State> {
    match cause {
        Cause::Retried => Some(State::Queued),
        Cause::Claimed
        | Cause::Started
        | Cause::Succeeded
        | Cause::Failed
        | Cause::Retryable
        | Cause::HandedBack
        | Cause::LeaseLost
        | Cause::WorkerLost
        | Cause::BackoffElapsed
        | Cause::PauseRequested
        | Cause::BudgetExhausted
        | Cause::Flushed
        | Cause::Resumed
        | Cause::CancelRequested => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contract's table, one line a row, held against the code for every pair.
    const TABLE: &str = "
        queued: claimed>leased pause_requested>pausing cancel_requested>cancelling
        leased: started>running failed>failed retryable>retry_wait handed_back>queued \
                lease_lost>queued worker_lost>failed pause_requested>pausing \
                budget_exhausted>pausing cancel_requested>cancelling
        running: succeeded>succeeded failed>failed retryable>retry_wait handed_back>queued \
                lease_lost>queued worker_lost>failed pause_requested>pausing \
                budget_exhausted>pausing cancel_requested>cancelling
        retry_wait: backoff_elapsed>queued pause_requested>pausing cancel_requested>cancelling
        pausing: flushed>paused succeeded>paused retryable>paused handed_back>paused \
                budget_exhausted>paused lease_lost>paused worker_lost>paused failed>failed \
                cancel_requested>cancelling
        paused: resumed>queued cancel_requested>cancelling
        cancelling: succeeded>cancelled failed>cancelled retryable>cancelled \
                handed_back>cancelled budget_exhausted>cancelled flushed>cancelled \
                lease_lost>cancelled worker_lost>cancelled
        succeeded:
        failed: retried>queued
        cancelled:
    ";

    #[test]
    fn every_pair_of_state_and_cause_is_as_the_table_says() {
        let mut rows = 0;
        for line in TABLE.trim().lines() {
            let (from, rest) = line.trim().split_once(':').unwrap();
            let from: State = from.parse().unwrap();
            for cause in Cause::ALL {
                let wanted = rest
                    .split_whitespace()
                    .filter_map(|pair| pair.split_once('>'))
                    .find(|(name, _)| *name == cause.as_str())
                    .map(|(_, to)| to.parse::<State>().unwrap());
                assert_eq!(from.after(cause).ok(), wanted, "{from} {}", cause.as_str());
            }
            rows += 1;
        }
        assert_eq!(rows, State::ALL.len());
    }
}
