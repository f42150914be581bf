//! Opening, migrating and closing files.

use std::sync::Arc;

use futures::future::join_all;
use koinon_kit::job;
use koinon_store::{Clock, Error, JobStore as _, SystemClock};
use koinon_store_sqlite::{Options, SqliteStore};
use sqlx::Connection as _;

use crate::harness::{Place, run};

async fn open(url: &str) -> Result<SqliteStore, Error> {
    SqliteStore::open(url, Options::default(), Arc::new(SystemClock::new())).await
}

fn migrations() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations/sqlite");
    let names = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    names.filter(|name| name.starts_with(char::is_numeric)).collect()
}

#[tokio::test]
async fn a_missing_file_and_its_folders_are_made() {
    let place = Place::new();
    let url = format!("sqlite://{}/deep/down/koinon.db", place.folder().display());
    open(&url).await.unwrap();
    assert!(place.folder().join("deep/down/koinon.db").exists());
}

#[tokio::test]
async fn every_migration_of_the_folder_is_run_once() {
    let place = Place::new();
    let newest = i64::try_from(migrations().len()).unwrap();
    for _ in 0..2 {
        let store = place.open().await;
        assert_eq!(store.schema_version().await.unwrap(), newest);
        store.close().await;
    }
}

#[tokio::test]
async fn a_url_that_names_no_file_is_refused() {
    for url in ["", "sqlite://", "sqlite::memory:", "postgres://localhost/koinon", "koinon.db"] {
        assert!(matches!(open(url).await, Err(Error::Invalid(_))), "{url}");
    }
}

#[tokio::test]
async fn a_newer_schema_is_refused_with_a_hint() {
    let place = Place::new();
    place.open().await.close().await;
    let mut database = place.raw().await;
    run(&mut database, "INSERT INTO schema_migrations VALUES (999, 'later', x'00')").await.unwrap();
    let error = open(&place.url()).await.unwrap_err();
    assert!(matches!(error, Error::Schema { .. }), "{error:?}");
    assert!(error.to_string().contains("999"), "{error}");
}

#[tokio::test]
async fn a_migration_that_was_edited_later_is_refused() {
    let place = Place::new();
    place.open().await.close().await;
    let mut database = place.raw().await;
    run(&mut database, "UPDATE schema_migrations SET checksum = x'00' WHERE version = 1")
        .await
        .unwrap();
    assert!(matches!(open(&place.url()).await, Err(Error::Schema { .. })));
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let place = Place::new();
    let text = "this is a letter, not a database. ".repeat(500);
    std::fs::write(place.file(), &text).unwrap();
    let error = open(&place.url()).await.unwrap_err();
    assert!(matches!(error, Error::Corrupt { .. }), "{error:?}");
    assert_eq!(std::fs::read_to_string(place.file()).unwrap(), text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_that_open_a_new_file_at_once_all_succeed() {
    let place = Place::new();
    let url = place.url();
    for store in join_all((0..5).map(|_| open(&url))).await {
        store.unwrap().submit(vec![job().build(&SystemClock::new())]).await.unwrap();
    }
}

#[tokio::test]
async fn a_process_that_dies_while_migrating_leaves_nothing() {
    let place = Place::new();
    let mut database = place.raw().await;
    run(&mut database, "BEGIN IMMEDIATE").await.unwrap();
    let first = include_str!("../../../../migrations/sqlite/0001_jobs.sql");
    run(&mut database, first).await.unwrap();
    database.close_hard().await.unwrap();
    place.open().await;
}

#[tokio::test]
async fn closing_empties_the_wal_and_ends_the_store() {
    let place = Place::new();
    let store = place.open().await;
    store.submit(vec![job().build(&SystemClock::new())]).await.unwrap();
    store.close().await;
    assert!(!place.folder().join("koinon.db-wal").exists());
    let late = store.submit(vec![job().build(&SystemClock::new())]).await;
    assert!(matches!(late, Err(Error::Unavailable(_))), "{late:?}");
}

#[tokio::test]
async fn the_writer_ends_once_every_clone_is_gone() {
    let place = Place::new();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
    let store =
        SqliteStore::open(&place.url(), Options::default(), Arc::clone(&clock)).await.unwrap();
    drop(store.clone());
    store.submit(vec![job().build(&*clock)]).await.unwrap();
    drop(store);
    while Arc::strong_count(&clock) > 1 {
        tokio::task::yield_now().await;
    }
}
