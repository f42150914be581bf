//! Hints between processes: heard after the commit, by those who listen, over dropped connections.

use std::time::Duration;

use koinon_domain::{Control, WorkerId};
use koinon_kit::{LEASE, job};
use koinon_store::{
    ClaimRequest, Clock as _, ControlRequest, Hint, Hints, JobStore as _, LeaseStore as _,
    RunningLimits, Scope, SystemClock,
};
use koinon_store_postgres::{Notifications, Options, PostgresStore, Time};

use crate::harness::Place;

/// More than the longest wait of a listener that lost its connection once or twice.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) async fn heard(hints: &mut Hints) -> Hint {
    tokio::time::timeout(PATIENCE, hints.next()).await.unwrap()
}

/// Waits until so many sessions listen.
async fn listening(place: &Place, count: i64) {
    let mut database = place.raw().await;
    let listeners = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                     AND query LIKE 'LISTEN%'";
    let wait = async {
        while sqlx::query_scalar::<_, i64>(listeners).fetch_one(&mut database).await.unwrap()
            < count
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.unwrap();
}

/// The hints of a store whose session listens, without those that it gives for having begun.
pub(crate) async fn hints_of(place: &Place, store: &PostgresStore) -> Hints {
    let mut hints = store.hints();
    listening(place, 1).await;
    for _ in 0..2 {
        heard(&mut hints).await;
    }
    hints
}

async fn submitted(store: &PostgresStore) -> koinon_domain::JobId {
    let submission = job().build(&SystemClock::new());
    store.submit(vec![submission]).await.unwrap()[0].job()
}

#[tokio::test]
async fn what_one_process_submits_another_hears() {
    let place = Place::new().await;
    let (one, other) = (place.open().await, place.open().await);
    let mut hints = hints_of(&place, &other).await;
    let id = submitted(&one).await;
    assert_eq!(heard(&mut hints).await, Hint::Ready);

    let owner = WorkerId::from_uuid(SystemClock::new().uuid());
    let request = ClaimRequest {
        owner,
        scope: Scope::Job(id),
        limit: 1,
        running: RunningLimits::NONE,
        lease_for: LEASE,
        starts: Vec::new(),
    };
    assert_eq!(other.claim(&request).await.unwrap().len(), 1);
    let tenant = job().build(&SystemClock::new()).job.tenant;
    one.control(&tenant, id, ControlRequest::State(Control::Cancel)).await.unwrap();
    assert_eq!(heard(&mut hints).await, Hint::Signal);
}

#[tokio::test]
async fn a_store_that_closes_at_once_has_still_told_the_others() {
    let place = Place::new().await;
    let other = place.open().await;
    let mut hints = hints_of(&place, &other).await;
    let one = place.open().await;
    submitted(&one).await;
    one.close().await;
    assert_eq!(heard(&mut hints).await, Hint::Ready);
}

#[tokio::test]
async fn a_session_that_listened_and_was_ended_is_replaced_and_hints_once() {
    let place = Place::new().await;
    let (one, other) = (place.open().await, place.open().await);
    let mut hints = hints_of(&place, &other).await;
    for _ in 0..3 {
        let mut database = place.raw().await;
        let ended: i64 = sqlx::query_scalar(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
             WHERE datname = current_database() AND query LIKE 'LISTEN%'",
        )
        .fetch_one(&mut database)
        .await
        .unwrap();
        assert_eq!(ended, 1);
        // It may have missed something, so it says both.
        let again = [heard(&mut hints).await, heard(&mut hints).await];
        assert!(again.contains(&Hint::Ready) && again.contains(&Hint::Signal));
        submitted(&one).await;
        assert_eq!(heard(&mut hints).await, Hint::Ready);
    }
}

#[tokio::test]
async fn a_thousand_submissions_are_few_notifications() {
    let place = Place::new().await;
    let store = place.open().await;
    let mut listener = sqlx::postgres::PgListener::connect(&place.url()).await.unwrap();
    listener.listen("koinon_hints").await.unwrap();
    let clock = SystemClock::new();
    for _ in 0..10 {
        let many = (0..100).map(|_| store.submit(vec![job().build(&clock)]));
        for answer in futures::future::join_all(many).await {
            answer.unwrap();
        }
    }
    store.close().await;
    let mut said = vec![listener.recv().await.unwrap().payload().to_owned()];
    while let Ok(more) = tokio::time::timeout(Duration::from_millis(200), listener.recv()).await {
        said.push(more.unwrap().payload().to_owned());
    }
    assert!(said.len() < 500, "{} notifications", said.len());
    assert!(said.iter().all(|text| text.len() == 33), "{said:?}");
}

#[tokio::test]
async fn without_notifications_nobody_listens_and_nobody_is_told() {
    let place = Place::new().await;
    let options = Options { notifications: Notifications::Off, ..Options::default() };
    let store = place.open_with(options, Time::Database).await;
    let mut listener = sqlx::postgres::PgListener::connect(&place.url()).await.unwrap();
    listener.listen("koinon_hints").await.unwrap();
    let mut hints = store.hints();
    submitted(&store).await;
    assert_eq!(heard(&mut hints).await, Hint::Ready, "the same process hears itself");
    store.close().await;
    let said = tokio::time::timeout(Duration::from_millis(300), listener.recv()).await;
    assert!(said.is_err(), "{said:?}");
}

#[tokio::test]
async fn no_password_is_in_the_debug_text_of_the_options() {
    let heard_at = Notifications::HeardAt("postgres://me:s3cret@db/koinon".to_owned());
    let options = Options { notifications: heard_at, ..Options::default() };
    assert!(!format!("{options:?}").contains("s3cret"));
}
