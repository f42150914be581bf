//! The sweep over what time has changed.

use std::collections::BTreeSet;
use std::time::Duration;

use koinon_domain::{Attempt, Control, ErrorCode, JobId, State};
use koinon_store::{Clock as _, EntryKind, HeartbeatRequest, RecoverRequest, Scope};

use crate::{Case, LEASE, commit, job};

pub async fn a_live_lease_is_left_alone(case: &Case) {
    let held = case.running(job()).await;
    let before = case.snapshot(held.job).await;
    case.clock.advance(LEASE - Duration::from_micros(1));
    assert_eq!(case.recover().await, koinon_store::Recovered::default());
    assert_eq!(case.snapshot(held.job).await, before);
}

pub async fn an_expired_job_is_queued_under_the_next_generation(case: &Case) {
    for started in [false, true] {
        let held = if started { case.running(job()).await } else { case.leased(job()).await };
        assert_eq!(case.lose_leases().await.expired, [held.job]);
        let run = case.run(held.job).await;
        assert_eq!((run.state, run.lease), (State::Queued, None));
        assert_eq!(run.generation, held.generation.next());
        assert_eq!((run.attempt, run.streaks.lease_losses), (Attempt::new(1), 1));
        assert_eq!(run.ready_at, case.clock.now());
        let last = case.events(held.job).await.pop().unwrap();
        assert_eq!((last.name.as_str(), last.generation), ("lease_lost", run.generation));
        let again = case.take(held.job).await;
        assert_eq!(again.generation, run.generation.next());
        case.applied(commit(&again).fail()).await;
    }
}

pub async fn recovery_puts_open_holds_in_doubt(case: &Case) {
    let held = case.running(job()).await;
    let (open, settled) = (case.hold("a", "0.25"), case.hold("b", "0.25"));
    case.applied(commit(&held).hold(&open).hold(&settled)).await;
    case.applied(commit(&held).settle(settled.id, "0.1")).await;
    case.lose_leases().await;
    let last = case.entries(held.job).await.pop().unwrap();
    assert_eq!((last.kind, last.hold, last.amounts), (EntryKind::InDoubt, open.id, open.held));
    assert_eq!(last.generation, held.generation);
    let run = case.run(held.job).await;
    assert_eq!((run.balance.in_doubt, run.open_holds), (open.held, 0));
}

pub async fn a_job_whose_attempts_are_spent_fails_as_worker_lost(case: &Case) {
    let id = case.submit(job().max_attempts(2)).await;
    case.take(id).await;
    case.lose_leases().await;
    assert_eq!(case.state(id).await, State::Queued);
    case.take(id).await;
    assert_eq!(case.lose_leases().await.expired, [id]);
    let run = case.run(id).await;
    assert_eq!((run.state, run.failed.unwrap().code), (State::Failed, ErrorCode::WORKER_LOST));
    assert_eq!(run.ended_at, Some(case.clock.now()));
}

pub async fn twenty_losses_without_a_checkpoint_fail_a_job(case: &Case) {
    let id = case.submit(job().max_attempts(1_000)).await;
    for loss in 1..=20 {
        assert_eq!(case.state(id).await, State::Queued, "before loss {loss}");
        case.take(id).await;
        case.lose_leases().await;
    }
    let run = case.run(id).await;
    assert_eq!((run.state, run.failed.unwrap().code), (State::Failed, ErrorCode::WORKER_LOST));
}

pub async fn a_job_that_makes_progress_survives_any_number_of_losses(case: &Case) {
    let id = case.submit(job().max_attempts(2)).await;
    for loss in 0..25 {
        let held = case.take(id).await;
        case.applied(commit(&held).start().checkpoint(&loss.to_string())).await;
        case.lose_leases().await;
        assert_eq!(case.state(id).await, State::Queued);
    }
    assert_eq!(case.run(id).await.streaks.lease_losses, 25);
}

pub async fn a_pausing_job_whose_worker_is_lost_is_paused(case: &Case) {
    for max_attempts in [1, 3] {
        let held = case.running(job().max_attempts(max_attempts)).await;
        case.control(held.job, Control::Pause).await;
        assert_eq!(case.lose_leases().await.expired, [held.job]);
        let run = case.run(held.job).await;
        assert_eq!((run.state, run.lease), (State::Paused, None));
        assert_eq!(run.attempt, Attempt::ZERO);
    }
}

pub async fn a_cancelling_job_whose_worker_is_lost_is_cancelled(case: &Case) {
    for max_attempts in [1, 3] {
        let held = case.running(job().max_attempts(max_attempts)).await;
        case.control(held.job, Control::Cancel).await;
        assert_eq!(case.lose_leases().await.expired, [held.job]);
        let run = case.run(held.job).await;
        assert_eq!((run.state, run.failed), (State::Cancelled, None));
    }
}

pub async fn a_sweep_is_bounded_and_the_next_one_goes_on(case: &Case) {
    let mut leased = BTreeSet::new();
    let mut waiting = BTreeSet::new();
    for _ in 0..5 {
        let held = case.running(job()).await;
        case.applied(commit(&held).retry_after(Duration::from_secs(1))).await;
        waiting.insert(held.job);
        leased.insert(case.leased(job()).await.job);
    }
    case.clock.advance(LEASE * 2);
    let (mut expired, mut due) = (BTreeSet::<JobId>::new(), BTreeSet::<JobId>::new());
    for _ in 0..3 {
        let swept = case.stores.leases.recover(&RecoverRequest { limit: 2 }).await.unwrap();
        assert!(swept.expired.len() <= 2 && swept.due.len() <= 2);
        expired.extend(swept.expired);
        due.extend(swept.due);
    }
    assert_eq!((expired, due), (leased, waiting));
    assert_eq!(case.recover().await, koinon_store::Recovered::default());
}

pub async fn sweeps_at_once_take_a_job_once(case: &Case) {
    let mut leased = BTreeSet::new();
    for _ in 0..6 {
        leased.insert(case.leased(job()).await.job);
    }
    case.clock.advance(LEASE * 2);
    let swept = futures::future::join_all((0..4).map(|_| case.recover())).await;
    let expired: Vec<_> = swept.into_iter().flat_map(|one| one.expired).collect();
    assert_eq!(expired.len(), 6);
    assert_eq!(expired.into_iter().collect::<BTreeSet<_>>(), leased);
}

pub async fn a_row_that_cannot_be_recovered_is_set_aside_and_blocks_no_other(case: &Case) {
    let damaged = case.running(job().priority(9)).await;
    let first = case.running(job()).await;
    let second = case.running(job()).await;
    case.damage(damaged.job).await;
    let swept = case.lose_leases().await;
    assert_eq!(swept.set_aside, [damaged.job]);
    let expired: BTreeSet<_> = swept.expired.into_iter().collect();
    assert_eq!(expired, [first.job, second.job].into());
    assert_eq!(case.events(damaged.job).await.pop().unwrap().name.as_str(), "set_aside");
    case.clock.advance(LEASE);
    assert_eq!(case.recover().await, koinon_store::Recovered::default());
    assert_eq!(case.claim_scope(case.worker(), Scope::Job(damaged.job), 1).await, []);
    assert_eq!(case.claim(case.worker(), 10).await.len(), 2);
}

pub async fn a_row_that_was_asked_to_stop_is_set_aside_and_blocks_no_other(case: &Case) {
    for asked in [Control::Pause, Control::Cancel] {
        let damaged = case.running(job().priority(9)).await;
        let [pausing, cancelling] = [case.running(job()).await, case.running(job()).await];
        let running = case.running(job()).await;
        case.control(pausing.job, Control::Pause).await;
        case.control(cancelling.job, Control::Cancel).await;
        case.control(damaged.job, asked).await;
        case.damage(damaged.job).await;

        let swept = case.lose_leases().await;

        assert_eq!(swept.set_aside, [damaged.job]);
        let expired: BTreeSet<_> = swept.expired.into_iter().collect();
        assert_eq!(expired, [pausing.job, cancelling.job, running.job].into());
        assert_eq!(case.state(pausing.job).await, State::Paused);
        assert_eq!(case.state(cancelling.job).await, State::Cancelled);
        assert_eq!(case.state(running.job).await, State::Queued);
        let last = case.events(damaged.job).await.pop().unwrap();
        assert_eq!((last.name.as_str(), last.from, last.to), ("set_aside", None, None));
        assert_eq!(case.recover().await, koinon_store::Recovered::default());
        assert!(!case.peek().await.expired, "it would be looked at again and again");
    }
}

pub async fn a_heartbeat_before_the_sweep_keeps_the_job(case: &Case) {
    let held = case.running(job()).await;
    case.clock.advance(LEASE * 2);
    let request = HeartbeatRequest {
        owner: held.owner,
        held: vec![(held.job, held.generation)],
        abandoned: Vec::new(),
        lease_for: LEASE,
    };
    case.stores.leases.heartbeat(&request).await.unwrap();
    assert_eq!(case.recover().await.expired, []);
    case.applied(commit(&held).succeed()).await;
}
