//! The version of the database's schema.

use koinon::Koinon;
use koinon::settings::Settings;

use crate::fault::Fault;

/// Opens the database, which makes and migrates a SQLite file where that is missing, and asks for its
/// version.
pub(crate) async fn version(settings: &Settings) -> Result<i64, Fault> {
    let mut bare = settings.clone();
    bare.providers.clear();
    "memory://".clone_into(&mut bare.artifacts.url);
    let koinon = Koinon::builder(bare).open().await?;
    let version = koinon.schema_version().await;
    koinon.close().await;
    Ok(version?)
}
