//! Databases for tests, and the way past the store into them.

use std::sync::Arc;

use async_trait::async_trait;
use koinon_cluster::{Cluster, Database};
use koinon_domain::JobId;
use koinon_kit::{Harness, Stores};
use koinon_store::Clock;
use koinon_store_postgres::{Notifications, Options, PostgresStore, Time};
use sqlx::{Connection as _, PgConnection};

/// A fresh database for each promise.
pub(crate) struct OnPostgres;

#[async_trait]
impl Harness for OnPostgres {
    async fn open(&self, clock: Arc<dyn Clock>) -> Stores {
        let place = Place::new().await;
        // The suite is about one process, whose hints must not be mixed with those of a session that begins.
        let options = Options { notifications: Notifications::Off, ..Options::default() };
        let store = place.open_with(options, Time::Given(clock)).await;
        Stores::of(Arc::new(store)).keeping(place)
    }

    async fn damage(&self, stores: &Stores, job: JobId) {
        let mut database = stores.kept::<Place>().unwrap().raw().await;
        sqlx::query("UPDATE runs SET interruptions = -1 WHERE job_id = $1")
            .bind(job.as_uuid())
            .execute(&mut database)
            .await
            .unwrap();
        database.close().await.unwrap();
    }
}

/// A database with the schema of this program, gone at the end.
pub(crate) struct Place {
    database: Database,
}

impl Place {
    /// A copy of the database that the first test has migrated.
    pub(crate) async fn new() -> Self {
        let cluster = Cluster::shared().unwrap();
        let migrated = migrated();
        if !cluster.has(&migrated).unwrap() {
            let lock = cluster.lock().unwrap();
            if !cluster.has(&migrated).unwrap() {
                let database = cluster.empty().unwrap();
                PostgresStore::migrate(&database.url()).await.unwrap();
                cluster.keep_as(database, &migrated).unwrap();
            }
            drop(lock);
        }
        Self { database: cluster.copy(&migrated).unwrap() }
    }

    pub(crate) fn name(&self) -> &str {
        self.database.name()
    }

    pub(crate) fn url(&self) -> String {
        self.database.url()
    }

    pub(crate) async fn open(&self) -> PostgresStore {
        self.open_with(Options::default(), Time::Database).await
    }

    pub(crate) async fn open_with(&self, options: Options, time: Time) -> PostgresStore {
        PostgresStore::open(&self.url(), options, time).await.unwrap()
    }

    /// A connection that knows nothing of the store.
    pub(crate) async fn raw(&self) -> PgConnection {
        PgConnection::connect(&self.url()).await.unwrap()
    }
}

/// The text of every migration, oldest first.
pub(crate) fn migrations() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations/postgres");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<_> = files.filter(|file| !file.ends_with("schema.sql")).collect();
    files.sort();
    files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

/// The version of the newest migration.
pub(crate) fn newest() -> i64 {
    i64::try_from(migrations().len()).unwrap()
}

/// The name of the migrated database: another one once the migrations change.
fn migrated() -> String {
    let digest = koinon_domain::Digest::of(migrations().concat().as_bytes()).to_string();
    format!("migrated_{}", &digest[..16])
}

/// Runs a statement past the store.
pub(crate) async fn run(database: &mut PgConnection, sql: &'static str) -> sqlx::Result<()> {
    sqlx::raw_sql(sql).execute(database).await.map(drop)
}
