//! How many jobs of a queue are held.

use std::collections::BTreeMap;

use koinon_store::Running;
use sqlx::types::Json;

/// That by tenant, as a document.
pub(crate) fn held_by_tenant(running: &Running) -> Json<BTreeMap<String, u32>> {
    Json(running.by_tenant().map(|(tenant, jobs)| (tenant.as_str().to_owned(), jobs)).collect())
}
