//! The store keeps every promise of the suite.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use koinon_domain::JobId;
use koinon_kit::{Harness, Stores};
use koinon_store::Clock;
use koinon_store_sqlite::{Options, SqliteStore};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use tempfile::TempDir;

koinon_kit::conformance!(crate::OnSqlite);

/// A fresh file for each promise.
struct OnSqlite;

#[async_trait]
impl Harness for OnSqlite {
    async fn open(&self, clock: Arc<dyn Clock>) -> Stores {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", file(&folder).display());
        let store = SqliteStore::open(&url, Options::default(), clock).await.unwrap();
        Stores::of(Arc::new(store)).keeping(folder)
    }

    async fn damage(&self, stores: &Stores, job: JobId) {
        let options = SqliteConnectOptions::new().filename(file(stores.kept().unwrap()));
        let mut database = SqliteConnection::connect_with(&options).await.unwrap();
        sqlx::query("UPDATE runs SET lease_owner = x'00' WHERE job_id = ?")
            .bind(job.as_uuid())
            .execute(&mut database)
            .await
            .unwrap();
        database.close().await.unwrap();
    }
}

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("koinon.db")
}
