//! The fence: who may write for a job.

use std::time::Duration;

use koinon_budget::Limits;
use koinon_domain::{Control, JobId, State, TenantId};
use koinon_store::{Clock as _, Fenced, Refusal, Signal};

use crate::{Case, LEASE, commit, job};

pub async fn a_commit_of_an_overtaken_worker_is_stale_and_writes_nothing(case: &Case) {
    let first = case.running(job()).await;
    let hold = case.hold("a", "0.01");
    case.applied(commit(&first).hold(&hold)).await;
    case.lose_leases().await;
    let second = case.take(first.job).await;
    case.stale(commit(&first).settle(hold.id, "0.01").checkpoint("a")).await;
    case.applied(commit(&second).start()).await;
    case.stale(commit(&first).succeed()).await;
    case.stale(commit(&first).fail()).await;
    case.stale(commit(&first).hand_back()).await;
}

pub async fn a_commit_after_recovery_is_stale_even_before_the_next_claim(case: &Case) {
    let held = case.running(job()).await;
    case.lose_leases().await;
    case.stale(commit(&held).checkpoint("a")).await;
    case.stale(commit(&held).succeed()).await;
}

pub async fn a_commit_of_another_owner_is_stale(case: &Case) {
    let mut held = case.running(job()).await;
    held.owner = case.worker();
    case.stale(commit(&held).checkpoint("a")).await;
}

pub async fn a_commit_for_another_tenant_is_stale(case: &Case) {
    let mut held = case.running(job()).await;
    held.tenant = TenantId::try_new("globex").unwrap();
    case.stale(commit(&held).checkpoint("a")).await;
}

pub async fn a_commit_of_a_generation_that_is_not_claimed_yet_is_stale(case: &Case) {
    let mut held = case.running(job()).await;
    held.generation = held.generation.next();
    case.stale(commit(&held).checkpoint("a")).await;
}

pub async fn a_commit_for_a_job_that_nobody_has_is_stale(case: &Case) {
    let mut held = case.running(job()).await;
    held.job = JobId::from_uuid(case.clock.uuid());
    assert_eq!(case.commit(commit(&held).checkpoint("a")).await.unwrap(), Fenced::Stale);
}

pub async fn a_new_commit_after_the_claim_has_ended_is_stale(case: &Case) {
    let endings = [
        |held: &crate::Held| commit(held).succeed(),
        |held: &crate::Held| commit(held).fail(),
        |held: &crate::Held| commit(held).retry_after(Duration::from_secs(1)),
        |held: &crate::Held| commit(held).hand_back(),
    ];
    for end in endings {
        let held = case.running(job()).await;
        case.applied(end(&held)).await;
        case.stale(commit(&held).checkpoint("a")).await;
    }
}

pub async fn done_work_is_written_in_every_held_state(case: &Case) {
    for state in State::ALL.into_iter().filter(|state| state.is_held()) {
        let (id, held) = case.in_state(state).await;
        let held = held.unwrap();
        case.applied(commit(&held).checkpoint("a")).await;
        assert_eq!(case.state(id).await, state);
    }
}

pub async fn an_expired_lease_that_nobody_has_overtaken_may_write_what_it_has_done(case: &Case) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.01");
    case.applied(commit(&held).hold(&hold)).await;
    case.clock.advance(LEASE * 2);
    let signal = case.applied(commit(&held).settle(hold.id, "0.01").checkpoint("a")).await;
    assert_eq!(signal, Signal::Continue);
    let lease = case.run(held.job).await.lease.unwrap();
    assert_eq!(lease.expires_at, case.clock.now().after(LEASE));
    assert_eq!(case.recover().await.expired, []);
}

pub async fn an_expired_lease_opens_no_hold_and_starts_no_item(case: &Case) {
    let held = case.running(job()).await;
    let expires_at = case.run(held.job).await.lease.unwrap().expires_at;
    case.clock.advance(LEASE * 2);
    let wanted = Refusal::LeaseExpired { at: expires_at };
    let hold = case.hold("a", "0.01");
    assert_eq!(case.refused(commit(&held).hold(&hold)).await, wanted);
    assert_eq!(case.refused(commit(&held).items(1)).await, wanted);
    assert_eq!(case.refused(commit(&held).checkpoint("b").hold(&hold)).await, wanted);
    case.applied(commit(&held)).await;
    case.applied(commit(&held).hold(&hold)).await;
}

pub async fn a_job_that_was_asked_to_stop_opens_no_hold_and_starts_no_item(case: &Case) {
    for (control, signal) in [(Control::Pause, Signal::Pause), (Control::Cancel, Signal::Cancel)] {
        let held = case.running(job()).await;
        case.control(held.job, control).await;
        let hold = case.hold("a", "0.01");
        let wanted = Refusal::Signalled(signal);
        assert_eq!(case.refused(commit(&held).hold(&hold)).await, wanted);
        assert_eq!(case.refused(commit(&held).items(1)).await, wanted);
        assert_eq!(case.applied(commit(&held).checkpoint("a")).await, signal);
    }
}

pub async fn a_job_that_was_asked_to_stop_before_it_started_does_not_start(case: &Case) {
    let held = case.leased(job()).await;
    case.control(held.job, Control::Pause).await;
    let refusal = case.refused(commit(&held).start()).await;
    assert_eq!(refusal, Refusal::Signalled(Signal::Pause));
    case.applied(commit(&held).flush()).await;
    assert_eq!(case.state(held.job).await, State::Paused);
}

pub async fn a_job_that_has_not_started_opens_no_hold(case: &Case) {
    let held = case.leased(job()).await;
    let hold = case.hold("a", "0.01");
    case.wrong(commit(&held).hold(&hold)).await;
    case.wrong(commit(&held).items(1)).await;
    case.applied(commit(&held).start().hold(&hold).items(1)).await;
}

pub async fn started_may_ride_with_the_first_commit(case: &Case) {
    let held = case.leased(job()).await;
    let hold = case.hold("a", "0.01");
    case.applied(commit(&held).start().hold(&hold).checkpoint("b")).await;
    assert_eq!(case.told(held.job).await, ["submitted", "claimed", "started", "checkpointed"]);
    assert_eq!(case.state(held.job).await, State::Running);
}

pub async fn a_job_starts_once_in_a_claim(case: &Case) {
    let held = case.running(job()).await;
    case.applied(commit(&held).start()).await;
    assert_eq!(case.count(held.job, "started").await, 1);
}

pub async fn a_commit_renews_a_lease_of_which_less_than_half_is_left(case: &Case) {
    let held = case.running(job()).await;
    let until = case.run(held.job).await.lease.unwrap().expires_at;
    case.clock.advance(LEASE / 2);
    case.applied(commit(&held).note("progress", &[])).await;
    assert_eq!(case.run(held.job).await.lease.unwrap().expires_at, until);
    case.clock.advance(Duration::from_micros(1));
    case.applied(commit(&held).note("progress", &[])).await;
    let lease = case.run(held.job).await.lease.unwrap();
    assert_eq!(lease.expires_at, case.clock.now().after(LEASE));
}

pub async fn an_end_that_the_state_machine_does_not_know_is_wrong(case: &Case) {
    let leased = case.leased(job()).await;
    case.wrong(commit(&leased).succeed()).await;
    let running = case.running(job().limits(Limits::default())).await;
    case.wrong(commit(&running).flush()).await;
}
