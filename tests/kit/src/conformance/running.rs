//! How many jobs of a queue may run at once.

use std::time::Duration;

use futures::future::join_all;
use koinon_domain::{JobId, QueueName, State};
use koinon_store::{End, RunningLimits, Scope};

use crate::{Case, Held, JobBuilder, LEASE, commit, job};

const fn limits(running: Option<u32>, per_tenant: Option<u32>) -> RunningLimits {
    RunningLimits { running, per_tenant }
}

fn report() -> QueueName {
    QueueName::try_new("report").unwrap()
}

/// Claims from the queue `report` under limits.
async fn claim(case: &Case, running: RunningLimits, limit: u32) -> Vec<JobId> {
    let claimed = case.claim_under(running, case.worker(), Scope::Queue(report()), limit).await;
    claimed.into_iter().map(|one| one.job).collect()
}

/// Submits jobs one after the other, each ready later than the one before.
async fn submit<const N: usize>(case: &Case, jobs: [JobBuilder; N]) -> [JobId; N] {
    let mut ids = Vec::with_capacity(N);
    for job in jobs {
        ids.push(case.submit(job).await);
        case.clock.advance(Duration::from_micros(1));
    }
    ids.try_into().unwrap()
}

async fn running(case: &Case) -> u32 {
    case.stores.queues.running(&report()).await.unwrap().total()
}

fn sorted(mut jobs: Vec<JobId>) -> Vec<JobId> {
    jobs.sort();
    jobs
}

/// A job of another worker, as its holder sees it.
async fn held(case: &Case, job: JobId) -> Held {
    let run = case.run(job).await;
    Held::new(job, run.tenant, run.lease.unwrap().owner, run.generation)
}

pub async fn no_more_jobs_of_a_queue_are_held_than_may_run(case: &Case) {
    let [a, b, c, d, e] = submit(case, [job(), job(), job(), job(), job()]).await;
    let three = limits(Some(3), None);
    assert_eq!(claim(case, three, 2).await, [a, b]);
    assert_eq!(claim(case, three, 5).await, [c]);
    assert_eq!(claim(case, three, 5).await, []);
    case.applied(commit(&held(case, b).await).fail()).await;
    assert_eq!(running(case).await, 2);
    assert_eq!(claim(case, three, 5).await, [d]);
    assert_eq!(claim(case, RunningLimits::NONE, 5).await, [e]);
}

pub async fn a_tenant_that_has_all_it_may_is_passed_by_and_its_jobs_keep_their_order(case: &Case) {
    let acme = || job().tenant("acme");
    let ids = submit(case, [acme(), acme(), acme(), job().tenant("globex")]).await;
    let [first, second, third, other] = ids;
    let one = limits(None, Some(1));
    assert_eq!(sorted(claim(case, one, 9).await), sorted(vec![first, other]));
    assert_eq!(claim(case, one, 9).await, []);
    for (ended, next) in [(first, second), (second, third)] {
        case.applied(commit(&held(case, ended).await).fail()).await;
        assert_eq!(claim(case, one, 9).await, [next]);
    }
    let found = case.stores.queues.running(&report()).await.unwrap();
    let by_tenant: Vec<_> = found.by_tenant().map(|(name, jobs)| (name.as_str(), jobs)).collect();
    assert_eq!(by_tenant, [("acme", 1), ("globex", 1)]);
}

pub async fn under_both_limits_the_first_jobs_of_tenants_with_a_place_are_claimed(case: &Case) {
    let of = |tenant: &str| job().tenant(tenant);
    let jobs = [of("b"), of("b"), of("b"), of("c"), of("a"), of("a")];
    let [b1, b2, b3, c1, a1, a2] = submit(case, jobs).await;
    let both = limits(Some(4), Some(2));
    assert_eq!(sorted(claim(case, both, 3).await), sorted(vec![b1, b2, c1]));
    assert_eq!(claim(case, both, 3).await, [a1]);
    assert_eq!(claim(case, both, 3).await, []);
    case.applied(commit(&held(case, c1).await).fail()).await;
    assert_eq!(claim(case, both, 3).await, [a2]);
    case.applied(commit(&held(case, b2).await).fail()).await;
    assert_eq!(claim(case, both, 3).await, [b3]);
}

pub async fn a_tenant_gets_its_most_urgent_jobs_first(case: &Case) {
    let of = |tenant: &str, priority| job().tenant(tenant).priority(priority);
    let jobs = [of("a", 3), of("a", 9), of("a", 9), of("b", 5), of("c", 0)];
    let [slow, first, second, other, last] = submit(case, jobs).await;
    let two = limits(Some(3), Some(2));
    assert_eq!(sorted(claim(case, two, 9).await), sorted(vec![first, second, other]));
    case.applied(commit(&held(case, second).await).fail()).await;
    assert_eq!(claim(case, two, 9).await, [slow]);
    case.applied(commit(&held(case, first).await).fail()).await;
    assert_eq!(claim(case, two, 9).await, [last]);
}

pub async fn claims_at_once_never_pass_a_limit(case: &Case) {
    for round in 0..12 {
        case.submit(job().tenant(["acme", "globex", "initech"][round % 3])).await;
    }
    let mut claimed = 0;
    for _ in 0..4 {
        let claims = (0..8).map(|_| claim(case, limits(Some(5), Some(2)), 2));
        claimed += join_all(claims).await.into_iter().flatten().count();
        assert!(claimed <= 5, "{claimed} jobs run");
        let running = case.stores.queues.running(&report()).await.unwrap();
        assert!(running.by_tenant().all(|(_, jobs)| jobs <= 2), "{running:?}");
    }
    // Whoever saw a job that another claim had locked has left it to the next.
    assert_eq!((claimed, running(case).await), (5, 5));
}

pub async fn a_claim_of_one_job_obeys_the_limits_of_its_queue(case: &Case) {
    let one = async |running, job| {
        let claimed = case.claim_under(running, case.worker(), Scope::Job(job), 1).await;
        claimed.len()
    };
    let jobs = [job(), job(), job().tenant("globex")];
    let [first, second, other] = submit(case, jobs).await;
    assert_eq!(one(limits(Some(1), None), first).await, 1);
    assert_eq!(one(limits(Some(1), None), other).await, 0);
    assert_eq!(one(limits(Some(2), Some(1)), second).await, 0);
    assert_eq!(one(limits(Some(2), Some(1)), other).await, 1);
    assert_eq!(one(limits(Some(3), Some(2)), second).await, 1);
    let nobodys = JobId::from_uuid(koinon_store::Clock::uuid(&*case.clock));
    assert_eq!(one(limits(Some(9), None), nobodys).await, 0);
}

pub async fn an_expired_lease_keeps_its_place_until_it_is_recovered(case: &Case) {
    let [lost, next] = submit(case, [job(), job().tenant("globex")]).await;
    for one in [limits(Some(1), None), limits(Some(1), Some(1))] {
        assert_eq!(claim(case, one, 1).await.len(), 1);
        case.clock.advance(LEASE * 2);
        assert_eq!((claim(case, one, 1).await, running(case).await), (vec![], 1));
        assert_eq!(case.recover().await.expired.len(), 1);
        assert_eq!(running(case).await, 0);
    }
    // The lost job has gone to the end of the line.
    assert_eq!(case.state(lost).await, State::Queued);
    assert_eq!(case.state(next).await, State::Queued);
}

pub async fn every_held_state_has_a_place_and_no_other(case: &Case) {
    let mut held = 0;
    for state in State::ALL {
        case.in_state(state).await;
        held += u32::from(state.is_held());
        assert_eq!(running(case).await, held, "{state}");
    }
    assert_eq!(claim(case, limits(Some(held), None), 1).await, []);
    assert_eq!(claim(case, limits(None, Some(held)), 1).await, []);
    assert_eq!(claim(case, limits(Some(held + 1), Some(held + 1)), 9).await.len(), 1);
}

pub async fn a_job_that_was_set_aside_has_no_place(case: &Case) {
    let one = limits(Some(1), Some(1));
    let damaged = case.running(job()).await;
    let waiting = case.submit(job()).await;
    case.damage(damaged.job).await;
    assert_eq!(claim(case, one, 1).await, []);
    case.lose_leases().await;
    assert_eq!(running(case).await, 0);
    assert_eq!(claim(case, one, 1).await, [waiting]);
}

pub async fn the_jobs_of_other_queues_have_no_place(case: &Case) {
    case.running(job().queue("index")).await;
    let index = QueueName::try_new("index").unwrap();
    assert_eq!(case.stores.queues.running(&index).await.unwrap().total(), 1);
    assert_eq!(running(case).await, 0);
    case.submit(job().queue("index")).await;
    let waiting = case.submit(job()).await;
    assert_eq!(claim(case, limits(Some(1), Some(1)), 5).await, [waiting]);
}

pub async fn under_limits_a_job_that_is_ready_later_or_in_a_paused_queue_is_not_claimed(
    case: &Case,
) {
    let wait = Duration::from_secs(30);
    let held = case.leased(job()).await;
    case.applied(commit(&held).end(End::HandedBack { wait, interrupted: false })).await;
    let both = [limits(Some(1), None), limits(None, Some(1))];
    for one in both {
        assert_eq!(claim(case, one, 1).await, []);
    }
    case.clock.advance(wait);
    case.stores.queues.pause(&report()).await.unwrap();
    for one in both {
        assert_eq!(claim(case, one, 1).await, []);
    }
    case.stores.queues.resume(&report()).await.unwrap();
    assert_eq!(claim(case, both[1], 1).await, [held.job]);
}

pub async fn a_limit_that_was_lowered_takes_nothing_away(case: &Case) {
    let [a, b, c] = submit(case, [job(), job(), job()]).await;
    assert_eq!(sorted(claim(case, limits(Some(2), Some(2)), 5).await), sorted(vec![a, b]));
    for lower in [limits(Some(1), None), limits(None, Some(1)), limits(Some(1), Some(1))] {
        assert_eq!(claim(case, lower, 5).await, []);
    }
    case.applied(commit(&held(case, a).await).fail()).await;
    assert_eq!(claim(case, limits(None, Some(1)), 5).await, []);
    case.applied(commit(&held(case, b).await).fail()).await;
    assert_eq!(claim(case, limits(None, Some(1)), 5).await, [c]);
}
