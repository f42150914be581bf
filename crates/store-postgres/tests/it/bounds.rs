//! A process does not look again at what it has claimed, and yet finds what a claim of its own let go.

use std::pin::pin;
use std::time::Duration;

use koinon_domain::{JobId, QueueName, WorkerId};
use koinon_kit::{LEASE, job};
use koinon_store::{
    ClaimRequest, Clock as _, JobStore as _, LeaseStore as _, RunningLimits, Scope, SystemClock,
};
use koinon_store_postgres::PostgresStore;
use sqlx::PgConnection;

use crate::harness::{Place, run};

/// The claim of the first job stands still while the test has lock 7, and fails then.
const FIRST_FAILS: &str = "
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock(7);
        RAISE EXCEPTION 'not this one';
    END $$;
    DO $$ BEGIN
        EXECUTE format(
            'CREATE TRIGGER fail BEFORE UPDATE ON runs FOR EACH ROW WHEN (old.job_id = %L) EXECUTE FUNCTION fail()',
            (SELECT job_id FROM runs ORDER BY ready_at LIMIT 1)
        );
    END $$;
    SELECT pg_advisory_lock(7);
";

const STANDS_STILL: &str =
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

/// Waits until so many claims stand still.
async fn standing_still(database: &mut PgConnection, count: i64) {
    while sqlx::query_scalar::<_, i64>(STANDS_STILL).fetch_one(&mut *database).await.unwrap()
        != count
    {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A store with four jobs, of which the first cannot be claimed, and the way past it.
async fn four_jobs(place: &Place) -> (PostgresStore, [JobId; 4], PgConnection) {
    let store = place.open().await;
    let mut jobs = Vec::new();
    for _ in 0..4 {
        let submission = job().build(&SystemClock::new());
        jobs.push(store.submit(vec![submission]).await.unwrap()[0].job());
    }
    let mut database = place.raw().await;
    run(&mut database, FIRST_FAILS).await.unwrap();
    (store, jobs.try_into().unwrap(), database)
}

fn next() -> ClaimRequest {
    let owner = WorkerId::from_uuid(SystemClock::new().uuid());
    let scope = Scope::Queue(QueueName::try_new("report").unwrap());
    ClaimRequest {
        owner,
        scope,
        limit: 1,
        running: RunningLimits::NONE,
        lease_for: LEASE,
        starts: Vec::new(),
    }
}

async fn claimed(store: &PostgresStore) -> JobId {
    store.claim(&next()).await.unwrap()[0].job
}

#[tokio::test]
async fn what_a_claim_that_failed_had_locked_is_the_next_to_be_claimed() {
    let place = Place::new().await;
    let (store, [first, second, third, _], mut database) = four_jobs(&place).await;
    let request = next();
    let others = async {
        standing_still(&mut database, 1).await;
        assert_eq!([claimed(&store).await, claimed(&store).await], [second, third]);
        run(&mut database, "SELECT pg_advisory_unlock(7)").await.unwrap();
    };
    let (failed, ()) = futures::join!(store.claim(&request), others);
    assert!(failed.is_err(), "{failed:?}");
    run(&mut database, "DROP TRIGGER fail ON runs").await.unwrap();
    assert_eq!(claimed(&store).await, first);
}

#[tokio::test]
async fn what_a_claim_whose_caller_went_away_had_locked_is_the_next_to_be_claimed() {
    let place = Place::new().await;
    let (store, [first, second, third, _], mut database) = four_jobs(&place).await;
    let request = next();
    {
        let mut abandoned = pin!(store.claim(&request));
        let others = async {
            standing_still(&mut database, 1).await;
            assert_eq!([claimed(&store).await, claimed(&store).await], [second, third]);
        };
        tokio::select! {
            ended = &mut abandoned => panic!("{ended:?}"),
            () = others => {}
        }
    }
    run(&mut database, "SELECT pg_advisory_unlock(7)").await.unwrap();
    // Waits for the transaction of the abandoned claim to end.
    run(&mut database, "DROP TRIGGER fail ON runs").await.unwrap();
    assert_eq!(claimed(&store).await, first);
}
