//! A process does not read again what it wrote last. What others did meanwhile counts all the same.

use koinon_budget::{Limits, NanoUsd};
use koinon_domain::{Control, EventSeq, QueueName, WorkerId};
use koinon_kit::{CommitBuilder, Held, JobBuilder, LEASE, commit, hold, job};
use koinon_store::{
    ClaimRequest, Clock as _, ControlRequest, Fenced, JobStore as _, LeaseStore as _, NewHold,
    RecoverRequest, Refusal, RunningLimits, Scope, Signal, SystemClock,
};
use koinon_store_postgres::PostgresStore;

use crate::harness::{Place, run};

/// The clock of this database, and how far it is ahead of the server's.
const OWN_CLOCK: &str = "
    CREATE SCHEMA own;
    CREATE TABLE own.ahead (by interval NOT NULL);
    INSERT INTO own.ahead VALUES ('0');
    CREATE FUNCTION own.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
        AS 'SELECT pg_catalog.clock_timestamp() + by FROM own.ahead';
    CREATE FUNCTION own.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
        AS 'SELECT pg_catalog.statement_timestamp() + by FROM own.ahead';
    DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET search_path = own, public, pg_catalog', current_database());
    END $$;
";

async fn claimed(store: &PostgresStore) -> Held {
    let owner = WorkerId::from_uuid(SystemClock::new().uuid());
    let scope = Scope::Queue(QueueName::try_new("report").unwrap());
    let running = RunningLimits::NONE;
    let request = ClaimRequest { owner, scope, limit: 1, running, lease_for: LEASE };
    let (claimed, loaded) = store.take(&request).await.unwrap().pop().unwrap();
    let tenant = loaded.unwrap().unwrap().run.tenant;
    Held::new(claimed.job, tenant, owner, claimed.generation)
}

/// A job that runs, whose row the store knows.
async fn running(store: &PostgresStore, job: JobBuilder) -> Held {
    store.submit(vec![job.build(&SystemClock::new())]).await.unwrap();
    let held = claimed(store).await;
    assert_eq!(ask(store, commit(&held).start()).await, Fenced::Applied(Signal::Continue));
    assert_eq!(ask(store, commit(&held).checkpoint("a")).await, Fenced::Applied(Signal::Continue));
    held
}

async fn ask(store: &PostgresStore, commit: CommitBuilder) -> Fenced<Signal> {
    store.commit(commit.build()).await.unwrap()
}

fn new_hold(usd: &str) -> NewHold {
    hold(&SystemClock::new(), "b", usd)
}

#[tokio::test]
async fn a_commit_learns_that_another_process_cancelled() {
    let place = Place::new().await;
    let (store, other) = (place.open().await, place.open().await);
    let held = running(&store, job()).await;
    let cancel = ControlRequest::State(Control::Cancel);
    other.control(&held.tenant, held.job, cancel).await.unwrap();
    let answer = ask(&store, commit(&held).hold(&new_hold("0.1"))).await;
    assert_eq!(answer, Fenced::Refused(Refusal::Signalled(Signal::Cancel)));
    let answer = ask(&store, commit(&held).checkpoint("b")).await;
    assert_eq!(answer, Fenced::Applied(Signal::Cancel));
}

#[tokio::test]
async fn a_hold_keeps_to_the_limit_that_another_process_set() {
    let place = Place::new().await;
    let (store, other) = (place.open().await, place.open().await);
    let held = running(&store, job().budget("1")).await;
    let limit =
        |usd: &str| Limits { cost: Some(usd.parse::<NanoUsd>().unwrap()), ..Limits::default() };
    let lower = ControlRequest::SetLimits(limit("0.2"));
    other.control(&held.tenant, held.job, lower).await.unwrap();
    let answer = ask(&store, commit(&held).hold(&new_hold("0.3"))).await;
    assert!(matches!(answer, Fenced::Refused(Refusal::BudgetExceeded(_))), "{answer:?}");
    let higher = ControlRequest::RaiseLimits(limit("0.4"));
    other.control(&held.tenant, held.job, higher).await.unwrap();
    let answer = ask(&store, commit(&held).hold(&new_hold("0.3"))).await;
    assert_eq!(answer, Fenced::Applied(Signal::Continue));
}

#[tokio::test]
async fn the_clock_of_the_database_decides_although_it_is_not_read() {
    let place = Place::new().await;
    let mut database = place.raw().await;
    run(&mut database, OWN_CLOCK).await.unwrap();
    let (store, other) = (place.open().await, place.open().await);
    let held = running(&store, job()).await;
    run(&mut database, "UPDATE own.ahead SET by = '2 minutes'").await.unwrap();
    let answer = ask(&store, commit(&held).hold(&new_hold("0.1"))).await;
    assert!(matches!(answer, Fenced::Refused(Refusal::LeaseExpired { .. })), "{answer:?}");
    let answer = ask(&store, commit(&held).checkpoint("b")).await;
    assert_eq!(answer, Fenced::Applied(Signal::Continue));
    let events = store.events(&held.tenant, held.job, EventSeq::ZERO, 10).await.unwrap();
    let at: Vec<_> = events.iter().rev().map(|event| event.at).collect();
    assert!(at[0].since(at[1]) >= LEASE, "{events:?}");

    run(&mut database, "UPDATE own.ahead SET by = '5 minutes'").await.unwrap();
    let recovered = other.recover(&RecoverRequest { limit: 10 }).await.unwrap();
    assert_eq!(recovered.expired, [held.job]);
    let next = claimed(&other).await;
    assert_eq!(next.job, held.job);
    assert_eq!(ask(&store, commit(&held).checkpoint("c")).await, Fenced::Stale);
    assert_eq!(ask(&other, commit(&next).start()).await, Fenced::Applied(Signal::Continue));
}
