//! What the fault store itself promises.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test must end it")]

use std::sync::Arc;

use koinon_domain::State;
use koinon_kit::{
    Case, Fault, FaultStore, Harness as _, Held, LEASE, ManualClock, ModelHarness, Stores, Verb,
    commit, job,
};
use koinon_store::{ClaimRequest, Clock as _, Error, Fenced, RunningLimits, Scope};

struct Opened {
    faulty: Arc<FaultStore>,
    stores: Stores,
    held: Held,
}

async fn opened() -> Opened {
    let clock = Arc::new(ManualClock::new());
    let inner = ModelHarness.open(Arc::<ManualClock>::clone(&clock)).await;
    let submission = job().build(&*clock);
    let (id, tenant) = (submission.job.id, submission.job.tenant.clone());
    inner.jobs.submit(vec![submission]).await.unwrap();
    let owner = koinon_domain::WorkerId::from_uuid(clock.uuid());
    let request = ClaimRequest {
        owner,
        scope: Scope::Job(id),
        limit: 1,
        running: RunningLimits::NONE,
        lease_for: LEASE,
        starts: Vec::new(),
    };
    let claimed = inner.leases.claim(&request).await.unwrap();
    let faulty = Arc::new(FaultStore::new(inner));
    let stores = Stores::of(Arc::clone(&faulty));
    Opened { faulty, stores, held: Held::new(id, tenant, owner, claimed[0].generation) }
}

async fn state(opened: &Opened) -> State {
    let status = opened.stores.jobs.job(&opened.held.tenant, opened.held.job).await.unwrap();
    status.unwrap().run.state
}

#[tokio::test]
async fn a_call_that_fails_before_takes_no_effect() {
    let opened = opened().await;
    opened.faulty.fail(Verb::Commit, 1, Fault::Before);
    let sent = commit(&opened.held).start().build();
    let answer = opened.stores.leases.commit(sent.clone()).await;
    assert!(matches!(answer, Err(Error::Unavailable(_))), "{answer:?}");
    assert_eq!(state(&opened).await, State::Leased);
    let answer = opened.stores.leases.commit(sent).await.unwrap();
    assert!(matches!(answer, Fenced::Applied(_)));
    assert_eq!(state(&opened).await, State::Running);
}

#[tokio::test]
async fn a_call_that_fails_after_has_taken_effect() {
    let opened = opened().await;
    opened.faulty.fail(Verb::Commit, 1, Fault::After);
    let sent = commit(&opened.held).start().build();
    let answer = opened.stores.leases.commit(sent).await;
    assert!(matches!(answer, Err(Error::Unavailable(_))), "{answer:?}");
    assert_eq!(state(&opened).await, State::Running);
}

#[tokio::test]
async fn only_the_planned_call_of_the_planned_verb_fails() {
    let opened = opened().await;
    opened.faulty.fail(Verb::Job, 2, Fault::Before);
    let read = || opened.stores.jobs.job(&opened.held.tenant, opened.held.job);
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.push(read().await.is_ok());
    }
    assert_eq!(answers, [true, false, true]);
    opened.faulty.fail_every(Verb::Job, 1, Fault::Before);
    assert!(read().await.is_err());
    opened.faulty.heal();
    assert!(read().await.is_ok());
    assert_eq!(opened.faulty.calls_of(Verb::Job), 5);
}

#[tokio::test]
async fn a_claim_whose_reply_was_lost_is_handed_back_after_the_heartbeat() {
    let case = Case::open(ModelHarness).await;
    let id = case.submit(job()).await;
    let faulty = FaultStore::new(case.stores.clone());
    faulty.fail(Verb::Claim, 1, Fault::After);
    let owner = case.worker();
    let request = ClaimRequest {
        owner,
        scope: Scope::Job(id),
        limit: 1,
        running: RunningLimits::NONE,
        lease_for: LEASE,
        starts: Vec::new(),
    };
    let stores = Stores::of(Arc::new(faulty));
    assert!(stores.leases.claim(&request).await.is_err());
    let beat = koinon_store::HeartbeatRequest {
        owner,
        held: Vec::new(),
        abandoned: Vec::new(),
        lease_for: LEASE,
    };
    let beats = stores.leases.heartbeat(&beat).await.unwrap();
    assert_eq!(beats.len(), 1);
    let tenant = case.status(id).await.spec.tenant;
    case.applied(commit(&Held::new(id, tenant, owner, beats[0].1)).hand_back()).await;
    assert_eq!(case.state(id).await, State::Queued);
    case.check().await;
}
