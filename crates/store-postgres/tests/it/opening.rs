//! Migrating and opening databases.

use std::time::Duration;

use futures::future::join_all;
use koinon_cluster::Cluster;
use koinon_kit::job;
use koinon_store::{Error, JobStore as _, SystemClock};
use koinon_store_postgres::{Options, PostgresStore, Time};
use sqlx::{Connection as _, PgConnection};

use crate::harness::{Place, newest, run};

async fn open(url: &str) -> Result<PostgresStore, Error> {
    let options = Options { acquire_for: Duration::from_secs(2), ..Options::default() };
    PostgresStore::open(url, options, Time::Database).await
}

#[tokio::test]
async fn an_empty_database_is_refused_with_the_command_to_run() {
    let database = Cluster::shared().unwrap().empty().unwrap();
    let error = open(&database.url()).await.unwrap_err();
    assert!(matches!(error, Error::Schema { .. }), "{error:?}");
    assert!(error.to_string().contains("koinon migrate --database"), "{error}");
}

#[tokio::test]
async fn an_older_schema_is_refused_with_the_command_to_run() {
    let place = Place::new().await;
    let mut database = place.raw().await;
    run(&mut database, "DELETE FROM schema_migrations WHERE version > 1").await.unwrap();
    let error = open(&place.url()).await.unwrap_err();
    assert!(matches!(error, Error::Schema { .. }), "{error:?}");
    assert!(error.to_string().contains("koinon migrate --database"), "{error}");
}

#[tokio::test]
async fn a_newer_schema_is_refused_and_not_migrated() {
    let place = Place::new().await;
    let mut database = place.raw().await;
    run(&mut database, "INSERT INTO schema_migrations VALUES (999, 'later', '')").await.unwrap();
    for error in [
        open(&place.url()).await.unwrap_err(),
        PostgresStore::migrate(&place.url()).await.unwrap_err(),
    ] {
        assert!(matches!(error, Error::Schema { .. }), "{error:?}");
        assert!(error.to_string().contains("999"), "{error}");
    }
}

#[tokio::test]
async fn a_migration_that_was_edited_later_is_refused() {
    let place = Place::new().await;
    let mut database = place.raw().await;
    run(&mut database, "UPDATE schema_migrations SET checksum = '' WHERE version = 1")
        .await
        .unwrap();
    assert!(matches!(open(&place.url()).await, Err(Error::Schema { .. })));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_that_migrate_an_empty_database_at_once_all_succeed() {
    let database = Cluster::shared().unwrap().empty().unwrap();
    let url = database.url();
    for version in join_all((0..5).map(|_| PostgresStore::migrate(&url))).await {
        assert_eq!(version.unwrap(), newest());
    }
    let store = open(&url).await.unwrap();
    assert_eq!(store.schema_version().await.unwrap(), newest());
    store.submit(vec![job().build(&SystemClock::new())]).await.unwrap();
    store.close().await;
}

#[tokio::test]
async fn a_process_that_dies_while_migrating_leaves_nothing() {
    let database = Cluster::shared().unwrap().empty().unwrap();
    let mut dying = PgConnection::connect(&database.url()).await.unwrap();
    run(&mut dying, "BEGIN").await.unwrap();
    run(&mut dying, include_str!("../../src/sql/migration_lock.sql")).await.unwrap();
    run(&mut dying, include_str!("../../../../migrations/postgres/0001_jobs.sql")).await.unwrap();
    dying.close_hard().await.unwrap();
    assert_eq!(PostgresStore::migrate(&database.url()).await.unwrap(), newest());
}

#[tokio::test]
async fn a_migration_lets_go_while_somebody_is_in_its_way_and_begins_again() {
    let database = Cluster::shared().unwrap().empty().unwrap();
    let url = database.url();
    let (mut holder, mut other) =
        (PgConnection::connect(&url).await.unwrap(), PgConnection::connect(&url).await.unwrap());
    run(&mut holder, "BEGIN; CREATE TABLE jobs (held boolean)").await.unwrap();
    let waiting = "SELECT EXISTS (
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
    )";

    let meanwhile = async {
        while !sqlx::query_scalar::<_, bool>(waiting).fetch_one(&mut other).await.unwrap() {
            tokio::task::yield_now().await;
        }
        // The migration gives this up with all its locks, or nobody gets it as long as the table is held.
        run(&mut other, "BEGIN").await.unwrap();
        run(&mut other, include_str!("../../src/sql/migration_lock.sql")).await.unwrap();
        run(&mut other, "ROLLBACK").await.unwrap();
        run(&mut holder, "ROLLBACK").await.unwrap();
    };
    let (version, ()) = tokio::join!(PostgresStore::migrate(&url), meanwhile);

    assert_eq!(version.unwrap(), newest());
}

#[tokio::test]
async fn what_cannot_be_opened_is_refused_at_once_with_its_reason() {
    let cluster = Cluster::shared().unwrap();
    for url in ["", "sqlite://koinon.db", "postgres//x", &cluster.url("nobody_made_this")] {
        let error = open(url).await.unwrap_err();
        assert!(matches!(error, Error::Invalid(_)), "{url}: {error:?}");
    }
    let error = open("postgres://koinon@127.0.0.1:1/koinon").await.unwrap_err();
    assert!(matches!(error, Error::Unavailable(_)), "{error:?}");
}

#[tokio::test]
async fn a_store_that_was_closed_is_unavailable() {
    let place = Place::new().await;
    let store = place.open().await;
    store.close().await;
    let late = store.submit(vec![job().build(&SystemClock::new())]).await;
    assert!(matches!(late, Err(Error::Unavailable(_))), "{late:?}");
}
