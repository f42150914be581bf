//! A page of jobs.

use std::cmp::Reverse;

use koinon_domain::{Kind, ProjectId, State, TenantId};
use koinon_store::{Error, JobCursor, JobFilter, Listed};
use uuid::Uuid;

use crate::statement::query;
use crate::{SqliteStore, row};

pub(crate) async fn jobs(
    store: &SqliteStore,
    tenant: &TenantId,
    filter: &JobFilter,
    after: Option<JobCursor>,
    limit: u32,
) -> Result<Vec<Listed>, Error> {
    let (submitted_at, id) = after.map_or((i64::MAX, Uuid::max()), |after| {
        (after.submitted_at.as_micros(), after.id.as_uuid())
    });
    let query = query(include_str!("../sql/jobs.sql"))
        .bind(tenant.to_string())
        .bind(submitted_at)
        .bind(id)
        .bind(filter.project.as_ref().map(ProjectId::to_string))
        .bind(filter.kind.as_ref().map(Kind::to_string))
        .bind(filter.state.map(State::as_str))
        .bind(i64::from(limit));
    let mut page: Vec<_> =
        store.all(query).await?.iter().map(row::listed).collect::<Result<_, _>>()?;
    page.sort_by_key(|one: &Listed| {
        let place = one.cursor();
        Reverse((place.submitted_at, place.id))
    });
    Ok(page)
}
