//! A page of jobs.

use std::cmp::Reverse;

use crate::values::Row;
use koinon_domain::{Kind, ProjectId, State, TenantId};
use koinon_store::{Error, JobCursor, JobFilter, Listed};
use uuid::Uuid;

use super::job::status;
use crate::SqliteStore;
use crate::row::Columns;
use crate::statement::query;

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
    let mut page: Vec<_> = store.all(query).await?.iter().map(listed).collect::<Result<_, _>>()?;
    page.sort_by_key(|one: &Listed| {
        let place = one.cursor();
        Reverse((place.submitted_at, place.id))
    });
    Ok(page)
}

/// A row of the page; one that cannot be read is told as that.
fn listed(found: &Row) -> Result<Listed, Error> {
    match status(found) {
        Ok(job) => Ok(Listed::Job(Box::new(job))),
        Err(Error::Corrupt { what }) => {
            let row = Columns::new(found, "a job");
            Ok(Listed::Unreadable {
                id: row.job()?,
                submitted_at: row.instant("submitted_at")?,
                what,
            })
        }
        Err(error) => Err(error),
    }
}
