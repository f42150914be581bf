//! How many jobs of a queue are held.

use std::collections::BTreeMap;

use koinon_domain::TenantId;
use koinon_store::{Error, Running};
use sqlx::postgres::PgRow;
use sqlx::types::Json;

use super::columns::Columns;

/// From the rows of `running.sql`.
pub(crate) fn running(rows: &[PgRow]) -> Result<Running, Error> {
    let mut running = Running::default();
    for found in rows {
        let row = Columns::new(found, "what runs");
        let tenant = TenantId::try_new(row.get::<&str>("tenant")?);
        running.add(tenant.ok(), row.number("jobs")?);
    }
    Ok(running)
}

/// That by tenant, as a document.
pub(crate) fn held_by_tenant(running: &Running) -> Json<BTreeMap<String, u32>> {
    Json(running.by_tenant().map(|(tenant, jobs)| (tenant.as_str().to_owned(), jobs)).collect())
}
