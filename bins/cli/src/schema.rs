//! The version of the database's schema.

use std::sync::Arc;

use koinon::Koinon;
use koinon::settings::Settings;
use koinon::store::SystemClock;
use koinon_store_sqlite::{Options, SqliteStore};

use crate::fault::Fault;

/// Opens the database, which makes and migrates it where that is missing, and asks for its version.
pub(crate) async fn version(settings: &Settings) -> Result<i64, Fault> {
    // The engine refuses an address that no adapter takes, and says which ones there are.
    let mut bare = settings.clone();
    bare.providers.clear();
    "memory://".clone_into(&mut bare.artifacts.url);
    Koinon::builder(bare).open().await?.close().await;
    let options =
        Options { busy_for: settings.store.busy_for, readers: settings.database.max_connections };
    let url = settings.database.url.trim();
    let store = SqliteStore::open(url, options, Arc::new(SystemClock::new())).await?;
    let version = store.schema_version().await;
    store.close().await;
    Ok(version?)
}
