//! Limits that change, and the marks that are told.

use koinon_budget::{Limits, NanoUsd};
use koinon_domain::{ControlRefusal, JobId, State};
use koinon_store::{ControlAnswer, ControlRequest, Controlled};

use crate::{Case, Held, commit, job};

fn cost(usd: &str) -> Limits {
    Limits { cost: Some(usd.parse().unwrap()), ..Limits::default() }
}

async fn spend(case: &Case, held: &Held, item: &str, usd: &str) {
    let hold = case.hold(item, usd);
    case.applied(commit(held).hold(&hold)).await;
    case.applied(commit(held).settle(hold.id, usd)).await;
}

async fn marks(case: &Case, job: JobId) -> Vec<(String, String)> {
    let events = case.events(job).await;
    let marks = events.iter().filter(|event| event.name.as_str() == "budget_reached");
    marks.map(|event| (event.detail["axis"].clone(), event.detail["percent"].clone())).collect()
}

fn mark(axis: &str, percent: &str) -> (String, String) {
    (axis.to_owned(), percent.to_owned())
}

pub async fn limits_that_are_set_replace_those_that_they_name(case: &Case) {
    let id = case.submit(job().budget("1").calls(5)).await;
    let answer = case.set_limits(id, cost("0.5")).await;
    let done = Controlled { state: State::Queued, changed: true };
    assert_eq!(answer, ControlAnswer::Done(done));
    let limits = case.run(id).await.limits;
    assert_eq!((limits.cost, limits.calls), (Some("0.5".parse().unwrap()), Some(5)));
    assert_eq!(case.status(id).await.spec.limits.cost, Some("1".parse().unwrap()));
    assert_eq!(case.count(id, "limits_changed").await, 1);
}

pub async fn raising_never_lowers_a_limit(case: &Case) {
    let id = case.submit(job().budget("1").calls(5)).await;
    let before = case.snapshot(id).await;
    let answer = case.ask(id, ControlRequest::RaiseLimits(cost("0.5"))).await;
    let done = |changed| ControlAnswer::Done(Controlled { state: State::Queued, changed });
    assert_eq!(answer, done(false));
    assert_eq!(case.snapshot(id).await, before);
    let answer = case.ask(id, ControlRequest::RaiseLimits(cost("2"))).await;
    assert_eq!(answer, done(true));
    let limits = case.run(id).await.limits;
    assert_eq!((limits.cost, limits.calls), (Some("2".parse().unwrap()), Some(5)));
}

pub async fn limits_that_are_as_they_are_write_nothing(case: &Case) {
    let id = case.submit(job().budget("1")).await;
    let before = case.snapshot(id).await;
    case.set_limits(id, cost("1")).await;
    assert_eq!(case.snapshot(id).await, before);
}

pub async fn a_job_that_has_ended_for_good_keeps_its_limits(case: &Case) {
    for state in [State::Succeeded, State::Cancelled] {
        let (id, _) = case.in_state(state).await;
        let answer = case.set_limits(id, cost("1")).await;
        assert_eq!(answer, ControlAnswer::Refused(ControlRefusal::Illegal(state)));
    }
    let (id, _) = case.in_state(State::Failed).await;
    let answer = case.set_limits(id, cost("1")).await;
    assert!(matches!(answer, ControlAnswer::Done(Controlled { changed: true, .. })));
}

pub async fn a_lowered_limit_refuses_only_new_holds(case: &Case) {
    let held = case.running(job().budget("1")).await;
    let hold = case.hold("a", "0.5");
    case.applied(commit(&held).hold(&hold)).await;
    case.set_limits(held.job, cost("0.1")).await;
    assert_eq!(case.state(held.job).await, State::Running);
    case.refused(commit(&held).hold(&case.hold("b", "0.01"))).await;
    case.applied(commit(&held).settle(hold.id, "0.5").checkpoint("a")).await;
    case.applied(commit(&held).succeed()).await;
}

pub async fn a_raised_limit_lets_a_paused_job_go_on(case: &Case) {
    let held = case.running(job().budget("0.1")).await;
    spend(case, &held, "a", "0.1").await;
    let more = case.hold("b", "0.1");
    case.refused(commit(&held).hold(&more)).await;
    case.applied(commit(&held).out_of_budget()).await;
    case.applied(commit(&held).flush()).await;
    case.ask(held.job, ControlRequest::RaiseLimits(cost("0.2"))).await;
    case.control(held.job, koinon_domain::Control::Resume).await;
    let held = case.take(held.job).await;
    case.applied(commit(&held).start().hold(&more)).await;
}

pub async fn each_mark_is_told_once(case: &Case) {
    let held = case.running(job().budget("1").calls(100)).await;
    spend(case, &held, "a", "0.79").await;
    assert_eq!(marks(case, held.job).await, []);
    spend(case, &held, "b", "0.01").await;
    assert_eq!(marks(case, held.job).await, [mark("cost", "80")]);
    spend(case, &held, "c", "0.1").await;
    assert_eq!(marks(case, held.job).await.len(), 1);
    spend(case, &held, "d", "0.1").await;
    assert_eq!(marks(case, held.job).await, [mark("cost", "80"), mark("cost", "100")]);
    case.applied(commit(&held).checkpoint("e")).await;
    assert_eq!(marks(case, held.job).await.len(), 2);
}

pub async fn marks_are_told_again_for_a_new_limit(case: &Case) {
    let held = case.running(job().budget("1")).await;
    spend(case, &held, "a", "0.8").await;
    assert_eq!(marks(case, held.job).await.len(), 1);
    case.set_limits(held.job, cost("2")).await;
    case.applied(commit(&held).checkpoint("b")).await;
    assert_eq!(marks(case, held.job).await.len(), 1);
    spend(case, &held, "c", "0.8").await;
    assert_eq!(marks(case, held.job).await, [mark("cost", "80"), mark("cost", "80")]);
}

pub async fn both_marks_are_told_when_both_are_passed_at_once(case: &Case) {
    let held = case.running(job().budget("1").calls(1)).await;
    spend(case, &held, "a", "1").await;
    let mut told = marks(case, held.job).await;
    told.sort();
    let wanted = [("calls", "100"), ("calls", "80"), ("cost", "100"), ("cost", "80")];
    assert_eq!(told, wanted.map(|(axis, percent)| mark(axis, percent)));
}

pub async fn limits_read_back_on_every_axis(case: &Case) {
    let limits = Limits {
        cost: Some(NanoUsd::new(9_000_000_000_000_000_000)),
        calls: Some(u32::MAX),
        input_tokens: Some((1 << 53) + 1),
        output_tokens: Some(1 << 60),
        run_for: Some(std::time::Duration::from_micros(1_500_000)),
        items: Some(0),
    };
    let id = case.submit(job().limits(limits)).await;
    let status = case.status(id).await;
    assert_eq!((status.spec.limits, status.run.limits), (limits, limits));
    let none = case.submit(job()).await;
    assert_eq!(case.run(none).await.limits, Limits::default());
}
