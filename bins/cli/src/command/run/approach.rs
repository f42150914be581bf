//! What `run` does with the job that it found.

use koinon::Koinon;
use koinon::budget::Limits;
use koinon::domain::{Cause, Control, ErrorCode, Event, EventName, JobId, State};
use koinon::store::{ControlRequest, JobStatus};

use crate::command::job;
use crate::fault::Fault;

/// The next step towards the job's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Nothing more can be done.
    Report,
    /// Ask this of the job first.
    Steer(Control),
    /// Drive or follow it.
    Drive,
}

/// Raises the limits of a job that was submitted before to the ones given now; a lower one lowers
/// nothing. A job that can spend no more is left alone.
pub(super) async fn raise(koinon: &Koinon, job: JobId, limits: Limits) -> Result<(), Fault> {
    if limits != Limits::default() {
        let request = ControlRequest::RaiseLimits(limits);
        koinon.jobs().control(koinon.tenant(), job, request).await?;
    }
    Ok(())
}

/// Decides by the job's state, and by its history where it stands still.
pub(super) async fn next(koinon: &Koinon, job: &JobStatus) -> Result<Next, Fault> {
    if job.run.set_aside_at.is_some() {
        return Ok(Next::Steer(Control::Retry));
    }
    match job.run.state {
        State::Succeeded | State::Cancelled => Ok(Next::Report),
        State::Failed => Ok(Next::Steer(Control::Retry)),
        State::Paused if may_go_on(koinon, job).await? => Ok(Next::Steer(Control::Resume)),
        State::Paused => Ok(Next::Report),
        State::Queued
        | State::Leased
        | State::Running
        | State::RetryWait
        | State::Pausing
        | State::Cancelling => Ok(Next::Drive),
    }
}

/// Whether what stopped the job is out of the way. A request to pause is, once `run` is asked for again.
async fn may_go_on(koinon: &Koinon, job: &JobStatus) -> Result<bool, Fault> {
    let code = job.run.failed.as_ref().map(|failed| &failed.code);
    if code == Some(&ErrorCode::CALL_IN_DOUBT) {
        return Ok(job.run.balance.in_doubt.calls == 0);
    }
    if code != Some(&ErrorCode::BUDGET_EXHAUSTED) {
        return Ok(true);
    }
    Ok(has_room_since(&job::all_events(koinon, job.spec.id).await?))
}

/// Whether a limit was raised, or a call in doubt was cleared up, after the budget was found exhausted.
fn has_room_since(events: &[Event]) -> bool {
    let exhausted = EventName::Transition(Cause::BudgetExhausted);
    let since = events
        .iter()
        .rposition(|event| event.name == exhausted)
        .or_else(|| events.iter().rposition(|event| event.to == Some(State::Pausing)));
    let later = events.get(since.unwrap_or_default()..).unwrap_or_default();
    later.iter().any(|event| match event.name {
        EventName::LimitsChanged => is_raise(event),
        EventName::Reconciled => true,
        EventName::Submitted
        | EventName::Transition(_)
        | EventName::Checkpointed
        | EventName::InputChanged
        | EventName::HoldExceeded
        | EventName::BudgetReached
        | EventName::SetAside
        | EventName::Note(_) => false,
    })
}

/// A limit that is no number any more is none.
fn is_raise(event: &Event) -> bool {
    let number = |name: &str| event.detail.get(name).and_then(|text| text.parse::<i64>().ok());
    match (number("from"), number("to")) {
        (Some(from), Some(to)) => to > from,
        (Some(_), None) => true,
        (None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use koinon::domain::{EventSeq, Generation, Timestamp};

    use super::*;

    fn event(seq: i64, name: EventName, detail: &[(&str, &str)]) -> Event {
        let detail = detail.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Event {
            seq: EventSeq::new(seq),
            at: Timestamp::default(),
            generation: Generation::ZERO,
            name,
            from: None,
            to: None,
            detail: detail.collect(),
        }
    }

    fn raise(seq: i64, from: &str, to: &str) -> Event {
        event(seq, EventName::LimitsChanged, &[("axis", "cost"), ("from", from), ("to", to)])
    }

    fn exhausted(seq: i64) -> Event {
        event(seq, EventName::Transition(Cause::BudgetExhausted), &[])
    }

    #[test]
    fn only_a_raise_after_the_budget_was_exhausted_makes_room() {
        assert!(!has_room_since(&[raise(1, "1", "2"), exhausted(2)]));
        assert!(!has_room_since(&[exhausted(1), raise(2, "2", "1")]));
        assert!(has_room_since(&[exhausted(1), raise(2, "1", "2")]));
        assert!(has_room_since(&[exhausted(1), raise(2, "1", "none")]));
        assert!(!has_room_since(&[exhausted(1), raise(2, "1", "2"), exhausted(3)]));
    }

    #[test]
    fn a_call_that_is_no_longer_in_doubt_makes_room() {
        assert!(has_room_since(&[exhausted(1), event(2, EventName::Reconciled, &[])]));
    }
}
