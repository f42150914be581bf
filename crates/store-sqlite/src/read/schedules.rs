//! Schedules, one or a page.

use koinon_domain::{ScheduleName, TenantId};
use koinon_store::{Error, Schedule};

use crate::SqliteStore;
use crate::row;
use crate::statement::query;

pub(crate) async fn schedule(
    store: &SqliteStore,
    tenant: &TenantId,
    name: &ScheduleName,
) -> Result<Option<Schedule>, Error> {
    let query =
        query(include_str!("../sql/schedule.sql")).bind(tenant.to_string()).bind(name.to_string());
    store.first(query).await?.as_ref().map(row::schedule).transpose()
}

pub(crate) async fn schedules(
    store: &SqliteStore,
    tenant: &TenantId,
    after: Option<&ScheduleName>,
    limit: u32,
) -> Result<Vec<Result<Schedule, Error>>, Error> {
    let query = query(include_str!("../sql/schedules.sql"))
        .bind(tenant.to_string())
        .bind(after.map_or_else(String::new, ScheduleName::to_string))
        .bind(i64::from(limit));
    Ok(store.all(query).await?.iter().map(row::schedule).collect())
}
