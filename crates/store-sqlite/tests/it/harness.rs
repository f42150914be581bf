//! Files for tests, and the way past the store into them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use koinon_domain::JobId;
use koinon_kit::{Harness, Stores};
use koinon_store::{Clock, SystemClock};
use koinon_store_sqlite::{Options, SqliteStore};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use tempfile::TempDir;

/// A fresh file for each promise.
pub(crate) struct OnSqlite;

#[async_trait]
impl Harness for OnSqlite {
    async fn open(&self, clock: Arc<dyn Clock>) -> Stores {
        let place = Place::new();
        let store = SqliteStore::open(&place.url(), Options::default(), clock).await.unwrap();
        Stores::of(Arc::new(store)).keeping(place)
    }

    async fn damage(&self, stores: &Stores, job: JobId) {
        let mut database = stores.kept::<Place>().unwrap().raw().await;
        sqlx::query("UPDATE runs SET lease_owner = x'00' WHERE job_id = ?")
            .bind(job.as_uuid())
            .execute(&mut database)
            .await
            .unwrap();
        database.close().await.unwrap();
    }
}

/// A folder for one file, gone at the end.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder().join("koinon.db")
    }

    pub(crate) fn url(&self) -> String {
        format!("sqlite://{}", self.file().display())
    }

    pub(crate) async fn open(&self) -> SqliteStore {
        self.open_with(Options::default()).await
    }

    pub(crate) async fn open_with(&self, options: Options) -> SqliteStore {
        SqliteStore::open(&self.url(), options, Arc::new(SystemClock::new())).await.unwrap()
    }

    /// A connection that knows nothing of the store.
    pub(crate) async fn raw(&self) -> SqliteConnection {
        let options = SqliteConnectOptions::new().filename(self.file()).create_if_missing(true);
        SqliteConnection::connect_with(&options).await.unwrap()
    }
}

/// Runs a statement past the store.
pub(crate) async fn run(database: &mut SqliteConnection, sql: &'static str) -> sqlx::Result<()> {
    sqlx::raw_sql(sql).execute(database).await.map(drop)
}
