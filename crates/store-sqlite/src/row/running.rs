//! How many jobs of a queue are held.

use std::collections::BTreeMap;

use koinon_domain::TenantId;
use koinon_store::{Error, Running};

use crate::values::Row;

use super::columns::Columns;
use super::document::text;

/// From the rows of `running.sql`.
pub(crate) fn running(rows: &[Row]) -> Result<Running, Error> {
    let mut running = Running::default();
    for found in rows {
        let row = Columns::new(found, "what runs");
        let tenant = TenantId::try_new(row.get::<&str>("tenant")?);
        running.add(tenant.ok(), row.number("jobs")?);
    }
    Ok(running)
}

/// That by tenant, as a document.
pub(crate) fn held_by_tenant(running: &Running) -> String {
    let by_tenant = running.by_tenant().map(|(tenant, jobs)| (tenant.as_str(), jobs));
    text(&by_tenant.collect::<BTreeMap<_, _>>())
}
