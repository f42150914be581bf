//! What a job was asked to do.

use koinon_domain::{Authority, Kind, Priority, ProjectId, QueueName, TenantId};
use koinon_store::{Error, JobSpec};
use sqlx::postgres::PgRow;

use super::columns::Columns;
use super::document::{self, AuthorityDocument, LimitsDocument};
use super::each::each;
use super::instant::Instant;
use crate::tx::Query;

/// A new job, and the how-manieth of its identity it is.
#[derive(Debug)]
pub(crate) struct NewJobRow {
    pub(crate) spec: JobSpec,
    pub(crate) incarnation: i64,
}

impl NewJobRow {
    /// What makes it the same job as another submission.
    pub(crate) fn identity(&self) -> (&str, &[u8; 32], i64) {
        (self.spec.tenant.as_str(), self.spec.identity.as_bytes(), self.incarnation)
    }
}

/// Adds the columns of new jobs.
pub(crate) fn bind_jobs<'q>(query: Query<'q>, rows: &'q [NewJobRow]) -> Query<'q> {
    let query = each(query, rows, |row| row.spec.id.as_uuid());
    let query = each(query, rows, |row| row.spec.tenant.as_str());
    let query = each(query, rows, |row| row.spec.project.as_str());
    let query = each(query, rows, |row| row.spec.kind.as_str());
    let query = each(query, rows, |row| row.spec.queue.as_str());
    let query = each(query, rows, |row| row.spec.identity.as_bytes().as_slice());
    let query = each(query, rows, |row| row.incarnation);
    let query = each(query, rows, |row| i64::from(row.spec.priority.get()));
    let query = each(query, rows, |row| row.spec.payload.as_slice());
    let query = each(query, rows, |row| {
        row.spec.authority.as_ref().map(|one| document::text(&AuthorityDocument::from(one)))
    });
    let query = each(query, rows, |row| document::text(&LimitsDocument::from(row.spec.limits)));
    let query = each(query, rows, |row| i64::from(row.spec.max_attempts));
    each(query, rows, |row| Instant(row.spec.submitted_at))
}

/// The job of a row that joins `jobs` with `runs` or `standings`; what both have is the same in both.
pub(crate) fn spec(row: &PgRow) -> Result<JobSpec, Error> {
    let row = Columns::new(row, "a job");
    let authority: Option<AuthorityDocument> = row.some_document("authority")?;
    let authority = authority.map(Authority::try_from).transpose();
    Ok(JobSpec {
        id: row.job()?,
        tenant: row.text("tenant", TenantId::try_new)?,
        project: row.text("project", ProjectId::try_new)?,
        kind: row.text("kind", Kind::try_new)?,
        queue: row.text("queue", QueueName::try_new)?,
        identity: row.digest("identity")?,
        priority: priority(&row)?,
        payload: row.get("payload")?,
        authority: row.made("authority", authority)?,
        limits: row.document::<LimitsDocument>("limits")?.into(),
        max_attempts: row.number("max_attempts")?,
        submitted_at: row.instant("submitted_at")?,
    })
}

pub(super) fn priority(row: &Columns<'_>) -> Result<Priority, Error> {
    let priority = Priority::try_new(row.number("priority")?);
    row.made("priority", priority.ok_or("out of range"))
}
