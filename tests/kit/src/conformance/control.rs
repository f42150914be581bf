//! Requests from outside the worker.

use koinon_domain::{
    Attempt, Control, ControlRefusal, Controlled as Ruling, EventName, Generation, State,
};
use koinon_store::{Clock as _, ControlAnswer, Controlled};

use crate::{Case, commit, job};

const CONTROLS: [Control; 4] = [Control::Pause, Control::Resume, Control::Cancel, Control::Retry];

pub async fn every_request_in_every_state_is_as_the_table_says(case: &Case) {
    for control in CONTROLS {
        for state in State::ALL {
            let (id, _) = case.in_state(state).await;
            let before = case.snapshot(id).await;
            let answer = case.control(id, control).await;
            let after = case.snapshot(id).await;
            match control.on(state) {
                Ruling::Transitions(causes) => {
                    let reached = causes.iter().try_fold(state, |now, cause| now.after(*cause));
                    let reached = reached.unwrap();
                    let done = Controlled { state: reached, changed: true };
                    assert_eq!(answer, ControlAnswer::Done(done), "{control:?} {state}");
                    assert_eq!(after.status.run.state, reached);
                    let told = after.events[before.events.len()..].iter();
                    let told: Vec<_> = told.map(|event| event.name.clone()).collect();
                    let wanted: Vec<_> = causes.iter().map(|c| EventName::Transition(*c)).collect();
                    assert_eq!(told, wanted, "{control:?} {state}");
                }
                Ruling::Already => {
                    let done = Controlled { state, changed: false };
                    assert_eq!(answer, ControlAnswer::Done(done), "{control:?} {state}");
                    assert_eq!(after, before, "{control:?} {state}");
                }
                Ruling::Refused(refusal) => {
                    assert_eq!(answer, ControlAnswer::Refused(refusal), "{control:?} {state}");
                    assert_eq!(after, before, "{control:?} {state}");
                }
            }
        }
    }
}

pub async fn two_transitions_of_one_request_are_two_events(case: &Case) {
    let id = case.submit(job()).await;
    case.control(id, Control::Pause).await;
    assert_eq!(case.told(id).await, ["submitted", "pause_requested", "flushed"]);
    case.control(id, Control::Cancel).await;
    assert_eq!(case.told(id).await[3..], ["cancel_requested", "flushed"]);
    let events = case.events(id).await;
    let chain: Vec<_> = events[3..].iter().map(|event| (event.from, event.to)).collect();
    let wanted = [(State::Paused, State::Cancelling), (State::Cancelling, State::Cancelled)];
    assert_eq!(chain, wanted.map(|(from, to)| (Some(from), Some(to))));
}

pub async fn a_request_that_is_already_met_writes_no_event(case: &Case) {
    let id = case.submit(job()).await;
    for control in [Control::Pause, Control::Pause, Control::Cancel, Control::Cancel] {
        case.control(id, control).await;
    }
    assert_eq!(case.events(id).await.len(), 5);
}

pub async fn requests_at_once_are_met_once(case: &Case) {
    let id = case.submit(job()).await;
    let asked = (0..8).map(|_| case.control(id, Control::Pause));
    let answers = futures::future::join_all(asked).await;
    let changed = |changed| ControlAnswer::Done(Controlled { state: State::Paused, changed });
    assert_eq!(answers.iter().filter(|answer| **answer == changed(true)).count(), 1);
    assert_eq!(answers.iter().filter(|answer| **answer == changed(false)).count(), 7);
}

pub async fn a_resume_while_pausing_is_told_to_wait(case: &Case) {
    let (id, _) = case.in_state(State::Pausing).await;
    let answer = case.control(id, Control::Resume).await;
    assert_eq!(answer, ControlAnswer::Refused(ControlRefusal::StillPausing));
}

pub async fn a_cancel_after_success_is_refused(case: &Case) {
    let (id, _) = case.in_state(State::Succeeded).await;
    let answer = case.control(id, Control::Cancel).await;
    let refusal = ControlRefusal::Illegal(State::Succeeded);
    assert_eq!(answer, ControlAnswer::Refused(refusal));
}

pub async fn a_request_leaves_the_lease_to_its_worker(case: &Case) {
    let held = case.running(job()).await;
    let before = case.run(held.job).await.lease;
    case.control(held.job, Control::Pause).await;
    assert_eq!(case.run(held.job).await.lease, before);
    case.control(held.job, Control::Cancel).await;
    assert_eq!(case.run(held.job).await.lease, before);
}

pub async fn a_resumed_job_is_ready_at_once_with_its_attempts_back(case: &Case) {
    let held = case.running(job()).await;
    case.applied(commit(&held).checkpoint("a")).await;
    case.applied(commit(&held).out_of_budget()).await;
    case.applied(commit(&held).flush()).await;
    case.control(held.job, Control::Resume).await;
    let run = case.run(held.job).await;
    assert_eq!((run.state, run.attempt), (State::Queued, Attempt::ZERO));
    assert_eq!((run.ready_at, run.failed), (case.clock.now(), None));
    assert_eq!(case.take(held.job).await.generation, held.generation.next());
}

pub async fn a_retried_job_goes_on_with_its_generation_and_its_history(case: &Case) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    case.applied(commit(&held).settle(hold.id, "0.1").checkpoint("a").fail()).await;
    let failed = case.snapshot(held.job).await;
    case.control(held.job, Control::Retry).await;
    let run = case.run(held.job).await;
    assert_eq!(
        (run.state, run.generation, run.attempt),
        (State::Queued, held.generation, Attempt::ZERO)
    );
    assert_eq!((run.failed, run.ended_at), (None, None));
    assert_eq!(run.balance, failed.status.run.balance);
    assert_eq!(run.event_seq, failed.status.run.event_seq.next());
    let again = case.take(held.job).await;
    assert_eq!(again.generation, Generation::new(2));
    case.applied(commit(&again).start().succeed()).await;
    let ends = case.events(held.job).await;
    let ends = ends.iter().filter(|event| event.to.is_some_and(State::is_terminal)).count();
    assert_eq!(ends, 2);
}

pub async fn time_spent_paused_does_not_count_as_run_time(case: &Case) {
    let id = case.submit(job()).await;
    case.control(id, Control::Pause).await;
    case.clock.advance(std::time::Duration::from_hours(1));
    case.control(id, Control::Resume).await;
    let held = case.take(id).await;
    case.applied(commit(&held).start()).await;
    assert_eq!(case.run(id).await.balance.run_for, std::time::Duration::ZERO);
}
