//! Heartbeats.

use std::time::Duration;

use koinon_budget::{Axis, Limits};
use koinon_domain::{Control, Generation, JobId};
use koinon_store::{Beat, Clock as _, HeartbeatRequest, Signal};

use crate::{Case, Held, LEASE, commit, job};

async fn beat(case: &Case, held: &[&Held], abandoned: &[&Held]) -> Vec<(JobId, Generation, Beat)> {
    let owner = held.iter().chain(abandoned).next().unwrap().owner;
    let pairs = |of: &[&Held]| of.iter().map(|held| (held.job, held.generation)).collect();
    let request = HeartbeatRequest {
        owner,
        held: pairs(held),
        abandoned: pairs(abandoned),
        lease_for: LEASE,
    };
    case.stores.leases.heartbeat(&request).await.unwrap()
}

async fn one(case: &Case, held: &Held) -> Beat {
    let beats = beat(case, &[held], &[]).await;
    assert_eq!(beats.len(), 1);
    assert_eq!((beats[0].0, beats[0].1), (held.job, held.generation));
    beats[0].2
}

pub async fn a_heartbeat_renews_the_lease(case: &Case) {
    let held = case.running(job()).await;
    case.clock.advance(LEASE / 2);
    assert_eq!(one(case, &held).await, Beat::Held(Signal::Continue));
    let lease = case.run(held.job).await.lease.unwrap();
    assert_eq!(lease.expires_at, case.clock.now().after(LEASE));
    case.clock.advance(LEASE - Duration::from_secs(1));
    assert_eq!(case.recover().await.expired, []);
}

pub async fn a_heartbeat_that_renews_writes_no_event(case: &Case) {
    let held = case.running(job()).await;
    let before = case.events(held.job).await;
    case.clock.advance(LEASE / 2);
    one(case, &held).await;
    assert_eq!(case.events(held.job).await, before);
}

pub async fn an_expired_lease_that_nobody_has_overtaken_is_renewed(case: &Case) {
    let held = case.running(job()).await;
    case.clock.advance(LEASE * 3);
    assert_eq!(one(case, &held).await, Beat::Held(Signal::Continue));
    assert_eq!(case.recover().await.expired, []);
}

pub async fn a_heartbeat_of_a_claim_that_is_over_is_lost(case: &Case) {
    let first = case.running(job()).await;
    case.lose_leases().await;
    assert_eq!(one(case, &first).await, Beat::Lost);
    case.take(first.job).await;
    let before = case.snapshot(first.job).await;
    assert_eq!(one(case, &first).await, Beat::Lost);
    assert_eq!(case.snapshot(first.job).await, before);
    let ended = case.running(job()).await;
    case.applied(commit(&ended).succeed()).await;
    assert_eq!(one(case, &ended).await, Beat::Lost);
}

pub async fn a_heartbeat_of_another_worker_is_lost(case: &Case) {
    let held = case.running(job()).await;
    let mut thief = held.clone();
    thief.owner = case.worker();
    assert_eq!(one(case, &thief).await, Beat::Lost);
    let mut nothing = held.clone();
    nothing.job = JobId::from_uuid(case.clock.uuid());
    nothing.owner = case.worker();
    assert_eq!(one(case, &nothing).await, Beat::Lost);
}

pub async fn a_job_that_its_worker_does_not_know_is_named(case: &Case) {
    let owner = case.worker();
    let known = case.submit(job().priority(9)).await;
    let lost = case.submit(job()).await;
    let claimed = case.claim(owner, 2).await;
    let generation = claimed[0].generation;
    let tenant = case.status(known).await.spec.tenant;
    let held = Held::new(known, tenant, owner, generation);
    let mut beats = beat(case, &[&held], &[]).await;
    beats.sort_by_key(|(job, ..)| *job != known);
    assert_eq!(
        beats,
        [(known, generation, Beat::Held(Signal::Continue)), (lost, generation, Beat::Unknown),]
    );
}

pub async fn an_abandoned_job_is_neither_renewed_nor_unknown(case: &Case) {
    let held = case.running(job()).await;
    let before = case.run(held.job).await.lease.unwrap().expires_at;
    case.clock.advance(LEASE / 2);
    let beats = beat(case, &[], &[&held]).await;
    assert_eq!(beats, []);
    assert_eq!(case.run(held.job).await.lease.unwrap().expires_at, before);
    case.clock.advance(LEASE);
    assert_eq!(case.recover().await.expired, [held.job]);
}

pub async fn an_abandoned_job_that_was_overtaken_is_lost(case: &Case) {
    let held = case.running(job()).await;
    case.lose_leases().await;
    let beats = beat(case, &[], &[&held]).await;
    assert_eq!(beats, [(held.job, held.generation, Beat::Lost)]);
}

pub async fn a_heartbeat_brings_requests_to_stop(case: &Case) {
    let pausing = case.running(job()).await;
    case.control(pausing.job, Control::Pause).await;
    assert_eq!(one(case, &pausing).await, Beat::Held(Signal::Pause));
    case.control(pausing.job, Control::Cancel).await;
    assert_eq!(one(case, &pausing).await, Beat::Held(Signal::Cancel));
}

pub async fn run_time_accrues_while_the_job_is_held(case: &Case) {
    let id = case.submit(job()).await;
    case.clock.advance(Duration::from_secs(100));
    let held = case.take(id).await;
    case.clock.advance(Duration::from_secs(7));
    one(case, &held).await;
    assert_eq!(case.run(id).await.balance.run_for, Duration::from_secs(7));
    case.clock.advance(Duration::from_secs(3));
    case.applied(commit(&held).start()).await;
    assert_eq!(case.run(id).await.balance.run_for, Duration::from_secs(10));
    case.applied(commit(&held).retry_after(Duration::from_secs(50))).await;
    case.clock.advance(Duration::from_secs(50));
    case.recover().await;
    let held = case.take(id).await;
    case.clock.advance(Duration::from_secs(1));
    one(case, &held).await;
    assert_eq!(case.run(id).await.balance.run_for, Duration::from_secs(11));
}

pub async fn run_time_stops_when_the_lease_expires(case: &Case) {
    let held = case.running(job()).await;
    case.clock.advance(LEASE * 5);
    one(case, &held).await;
    assert_eq!(case.run(held.job).await.balance.run_for, LEASE);
    case.clock.advance(LEASE * 5);
    case.recover().await;
    assert_eq!(case.run(held.job).await.balance.run_for, LEASE * 2);
}

pub async fn a_job_over_its_time_is_told_at_the_heartbeat(case: &Case) {
    let limits = Limits { run_for: Some(Duration::from_secs(10)), ..Limits::default() };
    let held = case.running(job().limits(limits)).await;
    case.clock.advance(Duration::from_secs(8));
    assert_eq!(one(case, &held).await, Beat::Held(Signal::Continue));
    assert_eq!(case.count(held.job, "budget_reached").await, 1);
    case.clock.advance(Duration::from_secs(3));
    let beat = one(case, &held).await;
    let Beat::Held(Signal::OverBudget(exceeded)) = beat else { panic!("{beat:?}") };
    assert_eq!(exceeded.axis, Axis::RunFor);
    assert_eq!((exceeded.limit, exceeded.spent), (10_000_000, 11_000_000));
    assert_eq!(case.count(held.job, "budget_reached").await, 2);
}

pub async fn one_heartbeat_answers_for_every_job_of_a_worker(case: &Case) {
    let owner = case.worker();
    for _ in 0..5 {
        case.submit(job()).await;
    }
    let mut held = Vec::new();
    for claimed in case.claim(owner, 5).await {
        let tenant = case.status(claimed.job).await.spec.tenant;
        held.push(Held::new(claimed.job, tenant, owner, claimed.generation));
    }
    case.applied(commit(&held[0]).hand_back()).await;
    let beats = beat(case, &held.iter().collect::<Vec<_>>(), &[]).await;
    assert_eq!(beats.len(), 5);
    for (job, _, beat) in beats {
        let lost = job == held[0].job;
        assert_eq!(beat, if lost { Beat::Lost } else { Beat::Held(Signal::Continue) });
    }
}
