//! A page of jobs.

use koinon_domain::{Kind, ProjectId, State, TenantId, Timestamp};
use koinon_store::{Error, JobCursor, JobFilter, Listed};
use sqlx::postgres::PgRow;
use uuid::Uuid;

use super::job::status;
use crate::PostgresStore;
use crate::row::{Columns, Instant};

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
    store.all(query).await?.iter().map(listed).collect()
}

/// A row of the page; one that cannot be read is told as that.
fn listed(found: &PgRow) -> Result<Listed, Error> {
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
