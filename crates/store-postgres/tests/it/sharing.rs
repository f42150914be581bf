//! Several stores on one database, as several processes have them, and callers that go away.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::join_all;
use koinon_domain::{Control, EventSeq, JobId, QueueName, WorkerId};
use koinon_kit::{Case, LEASE, commit, job};
use koinon_store::{
    ClaimRequest, Clock as _, ControlAnswer, ControlRequest, Fenced, HeartbeatRequest,
    JobStore as _, LeaseStore as _, RunningLimits, Scope, Submitted, SystemClock,
};
use koinon_store_postgres::{Options, PostgresStore, Time};

use crate::harness::{OnPostgres, Place, run};

fn claim_of(owner: WorkerId, limit: u32) -> ClaimRequest {
    let scope = Scope::Queue(QueueName::try_new("report").unwrap());
    ClaimRequest {
        owner,
        scope,
        limit,
        running: RunningLimits::NONE,
        lease_for: LEASE,
        starts: Vec::new(),
    }
}

fn worker() -> WorkerId {
    WorkerId::from_uuid(SystemClock::new().uuid())
}

async fn submitted(store: &PostgresStore, count: usize) {
    let clock = SystemClock::new();
    store.submit((0..count).map(|_| job().build(&clock)).collect()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_is_claimed_once_by_all_stores_together() {
    let place = Place::new().await;
    let stores = [place.open().await, place.open().await, place.open().await];
    submitted(&stores[0], 60).await;
    let mut claimed = Vec::new();
    // A claim leaves to others what they are about to take, so some find nothing while there is work.
    while claimed.len() < 60 {
        let claims = stores
            .iter()
            .map(|store| async move { store.claim(&claim_of(worker(), 4)).await.unwrap() });
        claimed.extend(join_all(claims).await.into_iter().flatten());
    }
    let distinct: BTreeSet<_> = claimed.iter().map(|claimed| claimed.job).collect();
    assert_eq!((claimed.len(), distinct.len()), (60, 60));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_identity_submitted_to_several_stores_at_once_is_one_job() {
    let place = Place::new().await;
    let stores = [place.open().await, place.open().await, place.open().await];
    let clock = SystemClock::new();
    for _ in 0..10 {
        let one = job().build(&clock);
        let others = (0..3).map(|_| {
            let mut other = job().build(&clock);
            other.job.identity = one.job.identity;
            other
        });
        let answers = stores.iter().zip(others).map(|(store, other)| store.submit(vec![other]));
        let answers: Vec<_> =
            join_all(answers).await.into_iter().flat_map(|answer| answer.unwrap()).collect();
        let jobs: BTreeSet<_> = answers.iter().map(|answer| answer.job()).collect();
        let created = answers.iter().filter(|answer| matches!(answer, Submitted::Created(_)));
        assert_eq!((jobs.len(), created.count()), (1, 1));
    }
}

#[tokio::test]
async fn a_caller_that_goes_away_leaves_no_transaction_behind() {
    let place = Place::new().await;
    let options = Options { max_connections: 1, ..Options::default() };
    let store = place.open_with(options, Time::Database).await;
    submitted(&store, 50).await;
    // Each round is cut off a little later, between any two messages.
    for polls in 0..60 {
        let request = claim_of(worker(), 1);
        let mut claim = Box::pin(store.claim(&request));
        for _ in 0..polls {
            if claim.as_mut().now_or_never().is_some() {
                break;
            }
            tokio::time::sleep(Duration::from_micros(50)).await;
        }
        drop(claim);
        // The next one finds a connection, and nobody's transaction on it.
        let peeked = store.claim(&claim_of(worker(), 0)).await.unwrap();
        assert_eq!(peeked, []);
    }
    let mut database = place.raw().await;
    let idle: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM pg_stat_activity \
         WHERE datname = current_database() AND state = 'idle in transaction'",
    )
    .fetch_one(&mut database)
    .await
    .unwrap();
    assert_eq!(idle, 0);
}

#[tokio::test]
async fn the_server_gives_up_a_statement_whose_answer_nobody_waits_for_any_more() {
    let place = Place::new().await;
    let options = Options { answer_for: Duration::from_millis(200), ..Options::default() };
    let store = place.open_with(options, Time::Database).await;
    let mut other = place.raw().await;
    run(&mut other, "BEGIN").await.unwrap();
    run(&mut other, "LOCK TABLE outcomes IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let (tenant, nobodys) =
        (job().build(&SystemClock::new()).job.tenant, JobId::from_uuid(SystemClock::new().uuid()));
    let stuck = store.control(&tenant, nobodys, ControlRequest::State(Control::Pause)).await;
    assert!(stuck.unwrap_err().is_transient());
    let mut waiting = 1;
    for _ in 0..100 {
        waiting = sqlx::query_scalar::<_, i64>(
            "SELECT count(*) FROM pg_stat_activity \
             WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
        .fetch_one(&mut other)
        .await
        .unwrap();
        if waiting == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(waiting, 0);
}

#[tokio::test]
async fn a_heartbeat_has_a_connection_however_busy_the_others_are() {
    let place = Place::new().await;
    let options =
        Options { max_connections: 1, acquire_for: Duration::from_secs(20), ..Options::default() };
    let store = place.open_with(options, Time::Database).await;
    submitted(&store, 1).await;
    let owner = worker();
    let claimed = store.claim(&claim_of(owner, 1)).await.unwrap();
    let mut other = place.raw().await;
    run(&mut other, "BEGIN").await.unwrap();
    run(&mut other, "LOCK TABLE outcomes IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let pause = ControlRequest::State(Control::Pause);
    let nobodys = JobId::from_uuid(SystemClock::new().uuid());
    let tenant = job().build(&SystemClock::new()).job.tenant;
    let mut stuck = std::pin::pin!(store.control(&tenant, nobodys, pause));
    assert!(tokio::time::timeout(Duration::from_millis(100), stuck.as_mut()).await.is_err());
    let held = vec![(claimed[0].job, claimed[0].generation)];
    let request = HeartbeatRequest { owner, held, abandoned: Vec::new(), lease_for: LEASE };
    let beats = store.heartbeat(&request).await.unwrap();
    assert_eq!(beats.len(), 1);
    run(&mut other, "ROLLBACK").await.unwrap();
    stuck.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_ends_while_its_row_is_waited_for_is_found() {
    let case = Case::open(OnPostgres).await;
    let other = case.stores.kept::<Place>().unwrap().open().await;
    let cancel = ControlRequest::State(Control::Cancel);
    for _ in 0..50 {
        let held = case.running(job()).await;
        let ended = case.commit(commit(&held).succeed());
        let (ended, asked) = futures::join!(ended, other.control(&held.tenant, held.job, cancel));
        assert!(matches!(ended, Ok(Fenced::Applied(_))), "{ended:?}");
        assert_ne!(asked.unwrap(), ControlAnswer::NotFound);
    }
}

#[tokio::test]
async fn a_submission_whose_caller_is_gone_happens_as_a_whole() {
    let place = Place::new().await;
    let store = place.open().await;
    let clock = SystemClock::new();
    let submission = job().build(&clock);
    let (tenant, id) = (submission.job.tenant.clone(), submission.job.id);
    assert!(store.submit(vec![submission]).now_or_never().is_none());
    // The next one is answered after the abandoned one.
    store.submit(vec![job().build(&clock)]).await.unwrap();
    assert!(store.job(&tenant, id).await.unwrap().is_some());
    assert_eq!(store.events(&tenant, id, EventSeq::ZERO, 10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn sessions_that_the_server_ended_are_replaced() {
    let place = Place::new().await;
    let store = place.open().await;
    submitted(&store, 3).await;
    let mut database = place.raw().await;
    run(
        &mut database,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    .await
    .unwrap();
    let mut tries = 0;
    while let Err(error) = store.claim(&claim_of(worker(), 1)).await {
        assert!(error.is_transient(), "{error:?}");
        tries += 1;
        assert!(tries < 10);
    }
}

#[tokio::test]
async fn behind_a_pooler_nothing_is_prepared() {
    let place = Place::new().await;
    let options = Options { pooler: true, ..Options::default() };
    let store = place.open_with(options, Time::Database).await;
    submitted(&store, 3).await;
    assert_eq!(store.claim(&claim_of(worker(), 2)).await.unwrap().len(), 2);
    let tenant = job().build(&SystemClock::new()).job.tenant;
    let filter = koinon_store::JobFilter::default();
    assert_eq!(store.jobs(&tenant, &filter, None, 10).await.unwrap().len(), 3);
    store.close().await;
}
