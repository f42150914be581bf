//! A process does not read again what it wrote last. What others did meanwhile counts all the same.

use koinon_budget::{Limits, NanoUsd};
use koinon_domain::{Control, EventSeq, QueueName, Timestamp, WorkerId};
use koinon_kit::{CommitBuilder, Held, JobBuilder, LEASE, commit, hold, job};
use koinon_store::{
    ClaimRequest, Clock as _, ControlRequest, Fenced, JobStore as _, LeaseStore as _, NewHold,
    PeekRequest, RecoverRequest, Refusal, RunningLimits, Scope, Signal, SystemClock,
};
use koinon_store_postgres::PostgresStore;
use sqlx::PgConnection;

use crate::harness::{Place, run};

/// The clock of this database, how far it is ahead of the server's and whether it stands still; and for each change of
/// a run whether its row was locked before.
const OWN_CLOCK: &str = "
    CREATE SCHEMA own;
    CREATE TABLE own.ahead (by interval NOT NULL, still timestamptz);
    INSERT INTO own.ahead VALUES ('0', NULL);
    CREATE FUNCTION own.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
        AS 'SELECT coalesce(still, pg_catalog.clock_timestamp()) + by FROM own.ahead';
    CREATE TABLE own.saves (place bigint GENERATED ALWAYS AS IDENTITY, is_locked boolean NOT NULL);
    CREATE FUNCTION own.noted() RETURNS trigger LANGUAGE plpgsql AS '
        BEGIN
            INSERT INTO own.saves (is_locked)
            SELECT EXISTS (
                SELECT FROM pg_locks
                WHERE pid = pg_backend_pid() AND relation = TG_RELID AND mode = ''RowShareLock''
            );
            RETURN NULL;
        END';
    CREATE TRIGGER noted AFTER UPDATE ON runs FOR EACH ROW EXECUTE FUNCTION own.noted();
    CREATE FUNCTION own.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
        AS 'SELECT coalesce(still, pg_catalog.statement_timestamp()) + by FROM own.ahead';
    DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET search_path = own, public, pg_catalog', current_database());
    END $$;
";

async fn claimed(store: &PostgresStore) -> Held {
    let owner = WorkerId::from_uuid(SystemClock::new().uuid());
    let scope = Scope::Queue(QueueName::try_new("report").unwrap());
    let running = RunningLimits::NONE;
    let request =
        ClaimRequest { owner, scope, limit: 1, running, lease_for: LEASE, starts: Vec::new() };
    let (claimed, loaded) = store.take(&request).await.unwrap().pop().unwrap();
    let tenant = loaded.unwrap().unwrap().run.tenant;
    Held::new(claimed.job, tenant, owner, claimed.generation)
}

/// A job that runs, whose row the store knows.
async fn running(store: &PostgresStore, job: JobBuilder) -> Held {
    store.submit(vec![job.build(&SystemClock::new())]).await.unwrap();
    started(store).await
}

async fn started(store: &PostgresStore) -> Held {
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

/// Stores a result, and answers whether the row was locked before.
async fn locks(store: &PostgresStore, database: &mut PgConnection, held: &Held) -> bool {
    let item = SystemClock::new().uuid().to_string();
    let answer = ask(store, commit(held).checkpoint(&item)).await;
    assert_eq!(answer, Fenced::Applied(Signal::Continue));
    let sql = "SELECT is_locked FROM own.saves ORDER BY place DESC LIMIT 1";
    sqlx::query_scalar(sql).fetch_one(database).await.unwrap()
}

/// Commits until two in a row needed no lock. On a machine that is slow at times one may be decided too late; after a
/// lock the row is read, which needs none, so that one by itself says nothing.
async fn two_without_a_lock(store: &PostgresStore, database: &mut PgConnection, held: &Held) {
    let mut in_a_row = 0;
    for _ in 0..200 {
        in_a_row = if locks(store, database, held).await { 0 } else { in_a_row + 1 };
        if in_a_row == 2 {
            return;
        }
    }
    assert_eq!(in_a_row, 2, "every second commit needs a lock");
}

async fn told_at(store: &PostgresStore, held: &Held) -> Vec<Timestamp> {
    let events = store.events(&held.tenant, held.job, EventSeq::ZERO, 20).await.unwrap();
    events.iter().map(|event| event.at).collect()
}

#[tokio::test]
async fn a_guess_that_the_database_refused_decides_nothing_afterwards() {
    let place = Place::new().await;
    let mut database = place.raw().await;
    run(&mut database, OWN_CLOCK).await.unwrap();
    let store = place.open().await;
    let held = running(&store, job()).await;
    run(&mut database, "UPDATE own.ahead SET still = pg_catalog.clock_timestamp()").await.unwrap();
    let owner = WorkerId::from_uuid(SystemClock::new().uuid());
    let look = PeekRequest { owner, queues: Vec::new() };
    let still = place.open().await.peek(&look).await.unwrap().now;
    for key in ["b", "c", "d", "e"] {
        let answer = ask(&store, commit(&held).checkpoint(key)).await;
        assert_eq!(answer, Fenced::Applied(Signal::Continue));
    }
    let at = told_at(&store, &held).await;
    assert_eq!(at.last(), Some(&still), "{at:?}");
}

#[tokio::test]
async fn commits_need_no_lock_although_the_clock_was_set_back() {
    let place = Place::new().await;
    let mut database = place.raw().await;
    run(&mut database, OWN_CLOCK).await.unwrap();
    let store = place.open().await;
    let held = running(&store, job()).await;
    two_without_a_lock(&store, &mut database, &held).await;
    run(&mut database, "UPDATE own.ahead SET by = '-1 hour'").await.unwrap();
    two_without_a_lock(&store, &mut database, &held).await;
    // Who has not seen the later time submits a job that is ready now. The claim says the later time.
    place.open().await.submit(vec![job().build(&SystemClock::new())]).await.unwrap();
    let next = started(&store).await;
    two_without_a_lock(&store, &mut database, &next).await;
    for held in [&held, &next] {
        let at = told_at(&store, held).await;
        assert!(at.is_sorted(), "{at:?}");
    }
}
