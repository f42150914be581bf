//! Hints: what becomes ready, or is asked to stop, is said in the same process at once.

use std::time::Duration;

use futures::FutureExt as _;
use koinon_domain::Control;
use koinon_store::{End, Hint, Hints};

use crate::factory::schedule;
use crate::{Case, commit, job};

fn listen(case: &Case) -> Hints {
    case.stores.leases.hints()
}

fn heard(hints: &mut Hints) -> Option<Hint> {
    hints.next().now_or_never()
}

pub async fn a_submission_hints_at_ready_work(case: &Case) {
    let (mut one, mut other) = (listen(case), listen(case));
    case.submit(job()).await;
    assert_eq!((heard(&mut one), heard(&mut other)), (Some(Hint::Ready), Some(Hint::Ready)));
    assert_eq!(heard(&mut one), None);
}

pub async fn hints_that_nobody_has_heard_are_one(case: &Case) {
    let mut hints = listen(case);
    for _ in 0..20 {
        case.submit(job()).await;
    }
    assert_eq!(heard(&mut hints), Some(Hint::Ready));
    assert_eq!(heard(&mut hints), None);
}

pub async fn a_resumed_job_hints_at_ready_work(case: &Case) {
    let job = case.submit(job()).await;
    case.control(job, Control::Pause).await;
    let mut hints = listen(case);
    case.control(job, Control::Resume).await;
    assert_eq!(heard(&mut hints), Some(Hint::Ready));
}

pub async fn a_retried_job_hints_at_ready_work(case: &Case) {
    let held = case.running(job()).await;
    case.applied(commit(&held).fail()).await;
    let mut hints = listen(case);
    case.control(held.job, Control::Retry).await;
    assert_eq!(heard(&mut hints), Some(Hint::Ready));
}

pub async fn a_held_job_that_is_asked_to_stop_hints_at_a_signal(case: &Case) {
    for control in [Control::Pause, Control::Cancel] {
        let held = case.running(job()).await;
        let mut hints = listen(case);
        case.control(held.job, control).await;
        assert_eq!(heard(&mut hints), Some(Hint::Signal));
        case.control(held.job, control).await;
        assert_eq!(heard(&mut hints), None, "a repeated request changes nothing");
    }
}

pub async fn a_job_that_is_handed_back_hints_at_ready_work(case: &Case) {
    let held = case.leased(job()).await;
    let mut hints = listen(case);
    let end = |wait| End::HandedBack { wait, interrupted: false };
    case.applied(commit(&held).end(end(Duration::ZERO))).await;
    assert_eq!(heard(&mut hints), Some(Hint::Ready));
    let held = case.take(held.job).await;
    case.applied(commit(&held).end(end(Duration::from_secs(30)))).await;
    assert_eq!(heard(&mut hints), None, "it is not ready yet");
}

pub async fn a_sweep_that_queues_a_job_hints_at_ready_work(case: &Case) {
    case.leased(job()).await;
    let mut hints = listen(case);
    case.recover().await;
    assert_eq!(heard(&mut hints), None, "nothing was swept");
    case.lose_leases().await;
    assert_eq!(heard(&mut hints), Some(Hint::Ready));
}

pub async fn a_tick_hints_at_ready_work(case: &Case) {
    let schedules = &case.stores.schedules;
    schedules.add_schedule(schedule("a", &*case.clock)).await.unwrap();
    let mut hints = listen(case);
    schedules.fire_schedules(100).await.unwrap();
    assert_eq!(heard(&mut hints), None, "none was due");
    case.clock.advance(Duration::from_mins(1));
    let fired = schedules.fire_schedules(100).await.unwrap();
    assert_eq!((fired.jobs.len(), heard(&mut hints)), (1, Some(Hint::Ready)));
}

pub async fn what_makes_nothing_ready_hints_at_nothing(case: &Case) {
    let mut hints = listen(case);
    let held = case.running(job()).await;
    assert_eq!(heard(&mut hints), Some(Hint::Ready), "it was submitted");
    case.applied(commit(&held).succeed()).await;
    case.control(held.job, Control::Cancel).await;
    assert_eq!(heard(&mut hints), None);
}
