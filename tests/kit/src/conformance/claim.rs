//! Claiming jobs.

use std::collections::BTreeSet;
use std::time::Duration;

use koinon_domain::{Attempt, Control, EventName, Generation, JobId, QueueName, State};
use koinon_store::{Claim, Claimed, Clock as _, End, Error, RunningLimits, Scope};

use crate::{Case, LEASE, commit, hold, job};

fn ids(claimed: &[Claimed]) -> Vec<JobId> {
    claimed.iter().map(|one| one.job).collect()
}

async fn load(case: &Case, claimed: &Claimed) -> Option<Claim> {
    let mut loaded = case.stores.leases.load(std::slice::from_ref(claimed)).await.unwrap();
    assert_eq!(loaded.len(), 1);
    loaded.remove(0).unwrap()
}

pub async fn the_most_urgent_is_claimed_first_then_the_longest_ready_then_the_lowest_id(
    case: &Case,
) {
    let late = case.submit(job().priority(5)).await;
    let twin = case.submit(job().priority(5)).await;
    case.clock.advance(Duration::from_micros(1));
    let later = case.submit(job().priority(5)).await;
    let urgent = case.submit(job().priority(9)).await;
    let idle = case.submit(job().priority(0)).await;
    let mut same = [late, twin];
    same.sort();
    let order = [urgent, same[0], same[1], later, idle];
    let mut claimed = Vec::new();
    for _ in 0..5 {
        claimed.extend(case.claim(case.worker(), 1).await);
    }
    assert_eq!(ids(&claimed), order);
}

pub async fn a_claim_takes_the_first_jobs_and_never_more_than_its_limit(case: &Case) {
    let mut submitted = Vec::new();
    for _ in 0..5 {
        submitted.push(case.submit(job()).await);
        case.clock.advance(Duration::from_micros(1));
    }
    assert_eq!(ids(&case.claim(case.worker(), 0).await), []);
    let first: BTreeSet<_> = ids(&case.claim(case.worker(), 3).await).into_iter().collect();
    assert_eq!(first, submitted[..3].iter().copied().collect());
    let rest: BTreeSet<_> = ids(&case.claim(case.worker(), 3).await).into_iter().collect();
    assert_eq!(rest, submitted[3..].iter().copied().collect());
    assert_eq!(ids(&case.claim(case.worker(), 3).await), []);
}

pub async fn a_claim_adds_a_generation_and_an_attempt_and_leases_the_job(case: &Case) {
    let id = case.submit(job()).await;
    let owner = case.worker();
    let claimed = case.claim(owner, 1).await;
    assert_eq!(claimed, [Claimed { job: id, generation: Generation::new(1) }]);
    let run = case.run(id).await;
    assert_eq!((run.state, run.generation), (State::Leased, Generation::new(1)));
    assert_eq!(run.attempt, Attempt::new(1));
    let lease = run.lease.unwrap();
    assert_eq!((lease.owner, lease.expires_at), (owner, case.clock.now().after(LEASE)));
    let events = case.events(id).await;
    let last = events.last().unwrap();
    assert!(matches!(last.name, EventName::Transition(koinon_domain::Cause::Claimed)));
    assert_eq!(last.generation, Generation::new(1));
}

pub async fn a_job_starts_with_its_claim_if_it_may_run(case: &Case) {
    let limits = RunningLimits { running: Some(5), per_tenant: Some(5) };
    for running in [RunningLimits::NONE, limits] {
        let held = case.running(job()).await;
        case.applied(commit(&held).retry_after(Duration::ZERO)).await;
        case.recover().await;
        let before = case.events(held.job).await.len();
        let held = case.take_to_start_under(running, held.job).await;
        let run = case.run(held.job).await;
        assert_eq!((run.state, run.generation), (State::Running, Generation::new(2)));
        assert_eq!(run.failed, None, "a job that runs has not failed");
        let lease = run.lease.unwrap();
        assert_eq!((lease.owner, lease.expires_at), (held.owner, case.clock.now().after(LEASE)));
        let events = case.events(held.job).await;
        let told: Vec<_> = events[before..].iter().map(|one| (one.from, one.to)).collect();
        let [claimed, started] = [(State::Queued, State::Leased), (State::Leased, State::Running)];
        assert_eq!(told, [claimed, started].map(|(from, to)| (Some(from), Some(to))));
        case.check().await;
    }
}

pub async fn a_job_that_may_not_run_does_not_start_with_its_claim(case: &Case) {
    for job in [job().kind("index"), job().on_behalf_of("umbrella")] {
        let id = case.submit(job).await;
        let before = case.events(id).await.len();
        case.take_to_start(id).await;
        assert_eq!(case.run(id).await.state, State::Leased);
        assert_eq!(case.events(id).await.len(), before + 1);
    }
}

pub async fn a_job_that_started_with_its_claim_goes_on_like_any_other(case: &Case) {
    let id = case.submit(job()).await;
    let held = case.take_to_start(id).await;
    let started = case.told(id).await;
    case.applied(commit(&held).start()).await;
    assert_eq!(case.told(id).await, started, "it starts once");
    let hold = hold(&*case.clock, "a", "0.10");
    case.applied(commit(&held).hold(&hold)).await;
    case.applied(commit(&held).settle(hold.id, "0.10")).await;
    case.applied(commit(&held).succeed()).await;
    assert_eq!(case.run(id).await.state, State::Succeeded);
    case.check().await;
}

pub async fn a_job_is_claimed_once_however_many_ask(case: &Case) {
    let mut submitted = BTreeSet::new();
    for _ in 0..20 {
        submitted.insert(case.submit(job()).await);
    }
    let claims = (0..10).map(|_| case.claim(case.worker(), 4));
    let claimed = futures::future::join_all(claims).await;
    let all: Vec<_> = claimed.iter().flat_map(|one| ids(one)).collect();
    assert!(claimed.iter().all(|one| one.len() <= 4));
    assert_eq!(all.len(), 20);
    assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), submitted);
}

pub async fn a_claim_takes_only_of_its_queue(case: &Case) {
    let ours = case.submit(job()).await;
    let theirs = case.submit(job().queue("index").priority(9)).await;
    assert_eq!(ids(&case.claim(case.worker(), 5).await), [ours]);
    let index = Scope::Queue(QueueName::try_new("index").unwrap());
    assert_eq!(ids(&case.claim_scope(case.worker(), index, 5).await), [theirs]);
}

pub async fn a_claim_of_one_job_takes_just_that_one(case: &Case) {
    case.submit(job().priority(9)).await;
    let wanted = case.submit(job().priority(0)).await;
    let scope = || Scope::Job(wanted);
    assert_eq!(ids(&case.claim_scope(case.worker(), scope(), 5).await), [wanted]);
    assert_eq!(ids(&case.claim_scope(case.worker(), scope(), 5).await), []);
}

pub async fn only_a_queued_job_is_claimed(case: &Case) {
    for state in State::ALL.into_iter().filter(|state| *state != State::Queued) {
        let (id, _) = case.in_state(state).await;
        let claimed = case.claim_scope(case.worker(), Scope::Job(id), 1).await;
        assert_eq!(claimed, [], "{state}");
    }
    assert_eq!(case.claim(case.worker(), 50).await, []);
}

pub async fn a_job_that_is_ready_later_is_not_claimed_before(case: &Case) {
    let held = case.leased(job()).await;
    let end = End::HandedBack { wait: Duration::from_secs(30), interrupted: false };
    case.applied(commit(&held).end(end)).await;
    case.clock.advance(Duration::from_micros(29_999_999));
    assert_eq!(case.claim(case.worker(), 5).await, []);
    assert_eq!(case.claim_scope(case.worker(), Scope::Job(held.job), 5).await, []);
    case.clock.advance(Duration::from_micros(1));
    case.recover().await;
    assert_eq!(ids(&case.claim(case.worker(), 5).await), [held.job]);
}

pub async fn generations_go_on_over_claims(case: &Case) {
    let id = case.submit(job()).await;
    for generation in 1..=3 {
        let held = case.take(id).await;
        assert_eq!(held.generation, Generation::new(generation));
        case.applied(commit(&held).hand_back()).await;
    }
}

pub async fn a_claim_is_loaded_with_what_was_asked_for_and_how_it_stands(case: &Case) {
    let held = case.leased(job().payload(br#"{"n":1}"#.to_vec())).await;
    let claimed = Claimed { job: held.job, generation: held.generation };
    let claim = load(case, &claimed).await.unwrap();
    let status = case.status(held.job).await;
    assert_eq!((claim.spec, claim.run), (status.spec, status.run));
}

pub async fn a_claim_that_is_over_is_not_loaded(case: &Case) {
    let held = case.leased(job()).await;
    let claimed = Claimed { job: held.job, generation: held.generation };
    let other = Claimed { generation: held.generation.next(), ..claimed.clone() };
    assert_eq!(load(case, &other).await, None);
    case.applied(commit(&held).hand_back()).await;
    assert_eq!(load(case, &claimed).await, None);
    case.take(held.job).await;
    assert_eq!(load(case, &claimed).await, None);
    let nobody = Claimed { job: JobId::from_uuid(case.clock.uuid()), generation: held.generation };
    assert_eq!(load(case, &nobody).await, None);
}

pub async fn a_job_that_was_asked_to_pause_is_still_loaded_by_its_worker(case: &Case) {
    let held = case.leased(job()).await;
    case.control(held.job, Control::Pause).await;
    let claimed = Claimed { job: held.job, generation: held.generation };
    let claim = load(case, &claimed).await.unwrap();
    assert_eq!(claim.run.state, State::Pausing);
}

pub async fn claims_are_loaded_together_and_each_has_its_own_answer(case: &Case) {
    let mut claimed = Vec::new();
    for _ in 0..4 {
        let held = case.leased(job()).await;
        claimed.push(Claimed { job: held.job, generation: held.generation });
    }
    case.damage(claimed[2].job).await;
    claimed[1].generation = claimed[1].generation.next();
    claimed.push(claimed[0].clone());
    let loaded = case.stores.leases.load(&claimed).await.unwrap();
    let jobs = loaded.into_iter().map(|one| one.map(|claim| claim.map(|claim| claim.spec.id)));
    let jobs: Vec<_> = jobs.collect();
    assert_eq!(jobs.len(), 5);
    for place in [0, 3, 4] {
        assert!(matches!(jobs[place], Ok(Some(job)) if job == claimed[place].job), "{jobs:?}");
    }
    assert!(matches!(jobs[1], Ok(None)), "{jobs:?}");
    assert!(matches!(jobs[2], Err(Error::Corrupt { .. })), "{jobs:?}");
    assert_eq!(case.stores.leases.load(&[]).await.unwrap().len(), 0);
}
