//! Requests from outside the worker.

use koinon_budget::{Axis, Limits};
use koinon_domain::{
    Attempt, Cause, Control, ControlRefusal, Controlled, EventName, State, Timestamp,
};

use super::Changes;
use crate::{ControlRequest, Error, Run};

/// What a request comes to.
#[derive(Debug)]
pub enum ControlDecision {
    /// To be saved.
    Apply(Box<Changes>),
    /// The job is already so; nothing is to be saved.
    Already(State),
    /// The job's state does not allow it.
    Refused(ControlRefusal),
}

/// Decides a request.
///
/// # Errors
///
/// [`Error::State`] never happens: the chain of every request is legal, as a test of the domain shows.
pub fn control(
    run: Run,
    request: ControlRequest,
    now: Timestamp,
) -> Result<ControlDecision, Error> {
    match request {
        ControlRequest::State(control) => change_state(run, control, now),
        ControlRequest::SetLimits(asked) => {
            let limits = overridden(run.limits, asked.countable());
            Ok(change_limits(run, limits, now))
        }
        ControlRequest::RaiseLimits(asked) => {
            let limits = run.limits.raised_by(asked.countable());
            Ok(change_limits(run, limits, now))
        }
    }
}

fn change_state(run: Run, control: Control, now: Timestamp) -> Result<ControlDecision, Error> {
    // A row that was set aside stands in whatever state broke it; a retry is what frees it.
    if control == Control::Retry && run.set_aside_at.is_some() {
        let mut changes = Changes::new(run);
        changes.run.set_aside_at = None;
        changes.tell(now, EventName::Note("freed".into()), []);
        return Ok(ControlDecision::Apply(Box::new(changes)));
    }
    let causes = match control.on(run.state) {
        Controlled::Transitions(causes) => causes,
        Controlled::Already => return Ok(ControlDecision::Already(run.state)),
        Controlled::Refused(refusal) => return Ok(ControlDecision::Refused(refusal)),
    };
    let mut changes = Changes::new(run);
    for cause in causes {
        changes.transition(now, *cause, [])?;
        if matches!(cause, Cause::Resumed | Cause::Retried) {
            begin_again(&mut changes.run, now);
        }
    }
    if changes.run.state == State::Cancelled {
        changes.run.failed = None;
    }
    Ok(ControlDecision::Apply(Box::new(changes)))
}

fn begin_again(run: &mut Run, now: Timestamp) {
    run.attempt = Attempt::ZERO;
    run.streaks.losses_without_checkpoint = 0;
    run.ready_at = now;
    run.failed = None;
    run.ended_at = None;
}

fn change_limits(run: Run, limits: Limits, now: Timestamp) -> ControlDecision {
    if matches!(run.state, State::Succeeded | State::Cancelled) {
        return ControlDecision::Refused(ControlRefusal::Illegal(run.state));
    }
    if limits == run.limits {
        return ControlDecision::Already(run.state);
    }
    let mut changes = Changes::new(run);
    let before = changes.run.limits;
    changes.run.limits = limits;
    for axis in Axis::ALL {
        let (from, to) = (before.on(axis), limits.on(axis));
        if from != to {
            changes.run.warned.forget(axis);
            let plain = |limit: Option<i64>| limit.map_or("none".to_owned(), |n| n.to_string());
            let detail =
                [("axis", axis.as_str().to_owned()), ("from", plain(from)), ("to", plain(to))];
            changes.tell(now, EventName::LimitsChanged, detail);
        }
    }
    ControlDecision::Apply(Box::new(changes))
}

fn overridden(current: Limits, asked: Limits) -> Limits {
    Limits {
        cost: asked.cost.or(current.cost),
        calls: asked.calls.or(current.calls),
        input_tokens: asked.input_tokens.or(current.input_tokens),
        output_tokens: asked.output_tokens.or(current.output_tokens),
        run_for: asked.run_for.or(current.run_for),
        items: asked.items.or(current.items),
    }
}
