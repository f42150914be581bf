//! How many jobs of a queue are held.

use std::collections::BTreeMap;

use koinon_store::Running;
use koinon_store::row::json;

/// That by tenant, as a document.
pub(crate) fn held_by_tenant(running: &Running) -> String {
    let by_tenant = running.by_tenant().map(|(tenant, jobs)| (tenant.as_str(), jobs));
    json(&by_tenant.collect::<BTreeMap<_, _>>())
}
