//! The store behind a pooler that gives each transaction to another session.

use std::sync::Arc;

use async_trait::async_trait;
use koinon_cluster::{Cluster, Pooler};
use koinon_domain::JobId;
use koinon_kit::{Harness, Stores, job};
use koinon_store::{Clock, Error, Hint, JobStore as _, LeaseStore as _, SystemClock};
use koinon_store_postgres::{Notifications, Options, PostgresStore, Time};

use crate::harness::{OnPostgres, Place};

/// A fresh database for each promise, behind a pooler.
struct BehindPooler;

#[async_trait]
impl Harness for BehindPooler {
    async fn open(&self, clock: Arc<dyn Clock>) -> Stores {
        let (place, pooler) = pooled().await;
        let store = open(&pooler.url(place.name()), Notifications::Off, Time::Given(clock)).await;
        Stores::of(Arc::new(store.unwrap())).keeping(pooler).keeping(place)
    }

    async fn damage(&self, stores: &Stores, job: JobId) {
        OnPostgres.damage(stores, job).await;
    }
}

koinon_kit::conformance!(crate::pooler::BehindPooler);

async fn pooled() -> (Place, Pooler) {
    let place = Place::new().await;
    (place, Pooler::start(Cluster::shared().unwrap()).unwrap())
}

async fn open(url: &str, notifications: Notifications, time: Time) -> Result<PostgresStore, Error> {
    let options = Options { pooler: true, notifications, ..Options::default() };
    PostgresStore::open(url, options, time).await
}

#[tokio::test]
async fn a_pooler_that_was_not_configured_is_named() {
    let (place, pooler) = pooled().await;
    let url = pooler.url(place.name());
    let error = PostgresStore::open(&url, Options::default(), Time::Database).await.unwrap_err();
    assert!(matches!(error, Error::Invalid(_)), "{error:?}");
    assert!(error.to_string().contains("store.postgres.pooler = true"), "{error}");
}

#[tokio::test]
async fn migrations_run_through_a_pooler() {
    let database = Cluster::shared().unwrap().empty().unwrap();
    let pooler = Pooler::start(Cluster::shared().unwrap()).unwrap();
    let url = pooler.url(database.name());
    let migrated = futures::future::join_all((0..3).map(|_| PostgresStore::migrate(&url))).await;
    for version in migrated {
        assert!(version.unwrap() >= 3);
    }
    let store = open(&url, Notifications::On, Time::Database).await.unwrap();
    store.submit(vec![job().build(&SystemClock::new())]).await.unwrap();
    store.close().await;
}

#[tokio::test]
async fn a_process_behind_a_pooler_tells_the_others_and_hears_them_past_it() {
    let (place, pooler) = pooled().await;
    let url = pooler.url(place.name());
    let told = open(&url, Notifications::HeardAt(place.url()), Time::Database).await.unwrap();
    let deaf = open(&url, Notifications::On, Time::Database).await.unwrap();
    let mut hints = crate::hints::hints_of(&place, &told).await;
    let mut here = deaf.hints();
    deaf.submit(vec![job().build(&SystemClock::new())]).await.unwrap();
    assert_eq!(crate::hints::heard(&mut hints).await, Hint::Ready);
    assert_eq!(crate::hints::heard(&mut here).await, Hint::Ready, "its own it hears at once");
}
