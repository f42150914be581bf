//! What a job was asked to do.

use crate::values::Row;
use koinon_domain::{Authority, Kind, Priority, ProjectId, QueueName, TenantId};
use koinon_store::{Error, JobSpec};

use super::columns::Columns;
use super::document::{self, AuthorityDocument, LimitsDocument};
use crate::statement::Query;

/// A new job, and the how-manieth of its identity it is.
#[derive(Debug)]
pub(crate) struct NewJobRow {
    pub(crate) spec: JobSpec,
    pub(crate) incarnation: i64,
}

/// Adds the arguments of a new job.
pub(crate) fn bind_job(query: Query, row: &NewJobRow) -> Query {
    let spec = &row.spec;
    let authority = spec.authority.as_ref().map(AuthorityDocument::from);
    query
        .bind(spec.id.as_uuid())
        .bind(spec.tenant.to_string())
        .bind(spec.project.to_string())
        .bind(spec.kind.to_string())
        .bind(spec.queue.to_string())
        .bind(spec.identity.as_bytes().to_vec())
        .bind(row.incarnation)
        .bind(i64::from(spec.priority.get()))
        .bind(spec.payload.clone())
        .bind(authority.as_ref().map(document::text))
        .bind(document::text(&LimitsDocument::from(spec.limits)))
        .bind(i64::from(spec.max_attempts))
        .bind(spec.submitted_at.as_micros())
}

/// The job of a row that joins `jobs` with `runs` or `standings`; what both have is the same in both.
pub(crate) fn spec(row: &Row) -> Result<JobSpec, Error> {
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
