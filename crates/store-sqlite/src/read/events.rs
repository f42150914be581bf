//! A page of a job's history.

use koinon_domain::{Event, EventSeq, JobId, TenantId};
use koinon_store::Error;

use crate::statement::query;
use crate::{SqliteStore, row};

pub(crate) async fn events(
    store: &SqliteStore,
    tenant: &TenantId,
    job: JobId,
    after: EventSeq,
    limit: u32,
) -> Result<Vec<Event>, Error> {
    let query = query(include_str!("../sql/events.sql"))
        .bind(tenant.to_string())
        .bind(job.as_uuid())
        .bind(after.get())
        .bind(i64::from(limit));
    store.all(query).await?.iter().map(row::event).collect()
}
