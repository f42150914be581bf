//! A page of jobs.

use std::cmp::Reverse;

use koinon_domain::{Kind, ProjectId, State, TenantId};
use koinon_store::{Error, JobCursor, JobFilter, JobStatus};
use uuid::Uuid;

use super::job::status;
use crate::SqliteStore;

pub(crate) async fn jobs(
    store: &SqliteStore,
    tenant: &TenantId,
    filter: &JobFilter,
    after: Option<JobCursor>,
    limit: u32,
) -> Result<Vec<JobStatus>, Error> {
    let (submitted_at, id) = after.map_or((i64::MAX, Uuid::max()), |after| {
        (after.submitted_at.as_micros(), after.id.as_uuid())
    });
    let query = sqlx::query(include_str!("../sql/jobs.sql"))
        .bind(tenant.to_string())
        .bind(submitted_at)
        .bind(id)
        .bind(filter.project.as_ref().map(ProjectId::to_string))
        .bind(filter.kind.as_ref().map(Kind::to_string))
        .bind(filter.state.map(State::as_str))
        .bind(i64::from(limit));
    let mut page: Vec<_> = store.all(query).await?.iter().map(status).collect::<Result<_, _>>()?;
    page.sort_by_key(|status| Reverse((status.spec.submitted_at, status.spec.id)));
    Ok(page)
}
