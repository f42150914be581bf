//! Several stores on one file, as several processes have them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::join_all;
use koinon_domain::{Control, EventSeq, QueueName, WorkerId};
use koinon_kit::{Case, LEASE, commit, job};
use koinon_store::{
    ClaimRequest, Clock as _, ControlRequest, Error, JobStore as _, LeaseStore as _, RunningLimits,
    Scope, Signal, SystemClock,
};
use koinon_store_sqlite::{Options, SqliteStore};

use crate::harness::{OnSqlite, Place, run};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_is_claimed_once_by_all_stores_together() {
    let (place, clock) = (Place::new(), SystemClock::new());
    let stores = [place.open().await, place.open().await, place.open().await];
    let jobs = (0..60).map(|_| job().build(&clock)).collect();
    stores[0].submit(jobs).await.unwrap();
    let claims = stores.iter().cycle().take(30).map(|store| {
        let request = ClaimRequest {
            owner: WorkerId::from_uuid(clock.uuid()),
            scope: Scope::Queue(QueueName::try_new("report").unwrap()),
            limit: 4,
            running: RunningLimits::NONE,
            lease_for: LEASE,
            starts: Vec::new(),
        };
        async move { store.claim(&request).await.unwrap() }
    });
    let claimed: Vec<_> = join_all(claims).await.into_iter().flatten().collect();
    let distinct: BTreeSet<_> = claimed.iter().map(|claimed| claimed.job).collect();
    assert_eq!((claimed.len(), distinct.len()), (60, 60));
}

#[tokio::test]
async fn a_write_that_is_kept_out_for_too_long_is_unavailable_and_may_be_asked_again() {
    let (place, clock) = (Place::new(), SystemClock::new());
    let options = Options { busy_for: Duration::from_millis(50), ..Options::default() };
    let store = place.open_with(options).await;
    let mut other = place.raw().await;
    run(&mut other, "BEGIN IMMEDIATE").await.unwrap();
    let submission = job().build(&clock);
    let error = store.submit(vec![submission.clone()]).await.unwrap_err();
    assert!(matches!(error, Error::Unavailable(_)), "{error:?}");
    run(&mut other, "ROLLBACK").await.unwrap();
    store.submit(vec![submission]).await.unwrap();
}

#[tokio::test]
async fn a_write_waits_for_another_process_and_reads_do_not() {
    let (place, clock) = (Place::new(), SystemClock::new());
    let store = place.open().await;
    let mut other = place.raw().await;
    run(&mut other, "BEGIN IMMEDIATE").await.unwrap();
    let submission = job().build(&clock);
    let (tenant, id) = (submission.job.tenant.clone(), submission.job.id);
    let mut submitted = std::pin::pin!(store.submit(vec![submission]));
    assert!(submitted.as_mut().now_or_never().is_none());
    assert_eq!(store.job(&tenant, id).await.unwrap(), None);
    run(&mut other, "ROLLBACK").await.unwrap();
    submitted.await.unwrap();
    assert!(store.job(&tenant, id).await.unwrap().is_some());
}

#[tokio::test]
async fn a_commit_sees_what_another_process_wrote_about_its_job() {
    let case = Case::open(OnSqlite).await;
    let held = case.running(job()).await;
    assert_eq!(case.applied(commit(&held).checkpoint("a")).await, Signal::Continue);
    let url = case.stores.kept::<Place>().unwrap().url();
    let clock = Arc::clone(&case.clock);
    let other = SqliteStore::open(&url, Options::default(), clock).await.unwrap();
    let pause = ControlRequest::State(Control::Pause);
    other.control(&held.tenant, held.job, pause).await.unwrap();
    assert_eq!(case.applied(commit(&held).checkpoint("b")).await, Signal::Pause);
    let cancel = ControlRequest::State(Control::Cancel);
    other.control(&held.tenant, held.job, cancel).await.unwrap();
    assert_eq!(case.applied(commit(&held).checkpoint("c")).await, Signal::Cancel);
    case.check().await;
}

#[tokio::test]
async fn a_write_whose_caller_is_gone_happens_as_a_whole() {
    let (place, clock) = (Place::new(), SystemClock::new());
    let store = place.open().await;
    let submission = job().build(&clock);
    let (tenant, id) = (submission.job.tenant.clone(), submission.job.id);
    assert!(store.submit(vec![submission]).now_or_never().is_none());
    // The next write is answered after the abandoned one.
    store.submit(vec![job().build(&clock)]).await.unwrap();
    assert!(store.job(&tenant, id).await.unwrap().is_some());
    assert_eq!(store.events(&tenant, id, EventSeq::ZERO, 10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn columns_that_a_newer_program_adds_do_not_change_what_is_read() {
    let case = Case::open(OnSqlite).await;
    let (before, after) = (case.running(job()).await, case.running(job()).await);
    let (first, second) = (case.hold("a", "0.25"), case.hold("a", "0.25"));
    case.applied(commit(&before).hold(&first)).await;
    case.applied(commit(&after).hold(&second)).await;
    case.applied(commit(&before).settle(first.id, "0.2")).await;

    let mut database = case.stores.kept::<Place>().unwrap().raw().await;
    run(&mut database, "ALTER TABLE ledger ADD COLUMN later TEXT").await.unwrap();

    case.applied(commit(&after).settle(second.id, "0.2")).await;
    for held in [before, after] {
        case.applied(commit(&held).succeed()).await;
    }
}
