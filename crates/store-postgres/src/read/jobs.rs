//! A page of jobs.

use koinon_domain::{Kind, ProjectId, State, TenantId, Timestamp};
use koinon_store::{Error, JobCursor, JobFilter, Listed};
use uuid::Uuid;

use crate::PostgresStore;
use crate::row::{self, Instant};

pub(crate) async fn jobs(
    store: &PostgresStore,
    tenant: &TenantId,
    filter: &JobFilter,
    after: Option<JobCursor>,
    limit: u32,
) -> Result<Vec<Listed>, Error> {
    let (submitted_at, id) = after
        .map_or((Timestamp::from_micros(i64::MAX), Uuid::max()), |after| {
            (after.submitted_at, after.id.as_uuid())
        });
    let query = sqlx::query(include_str!("../sql/jobs.sql"))
        .bind(tenant.to_string())
        .bind(Instant(submitted_at))
        .bind(id)
        .bind(filter.project.as_ref().map(ProjectId::to_string))
        .bind(filter.kind.as_ref().map(Kind::to_string))
        .bind(filter.state.map(State::as_str))
        .bind(i64::from(limit));
    store.all(query).await?.iter().map(row::listed).collect()
}
