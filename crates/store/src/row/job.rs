//! What a job was asked to do.

use koinon_domain::{Authority, Kind, Priority, ProjectId, QueueName, TenantId};

use super::document::{AuthorityDocument, LimitsDocument};
use super::{Columns, Fields};
use crate::{ClaimRequest, Error, JobSpec};

/// The job of a row that joins `jobs` with `runs` or `standings`; what both have is the same in both.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn spec<F: Fields>(row: &F) -> Result<JobSpec, Error> {
    let row = Columns::new(row, "a job");
    Ok(JobSpec {
        id: row.job()?,
        tenant: row.text("tenant", TenantId::try_new)?,
        project: row.text("project", ProjectId::try_new)?,
        kind: row.text("kind", Kind::try_new)?,
        queue: row.text("queue", QueueName::try_new)?,
        identity: row.digest("identity")?,
        priority: priority(&row)?,
        payload: row.get("payload")?,
        authority: authority(&row)?,
        limits: row.document::<LimitsDocument>("limits")?.into(),
        max_attempts: row.number("max_attempts")?,
        submitted_at: row.instant("submitted_at")?,
    })
}

/// Whether the job of such a row starts with its claim.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn starts<F: Fields>(
    row: &F,
    request: &ClaimRequest,
    tenant: &TenantId,
) -> Result<bool, Error> {
    let row = Columns::new(row, "a job");
    Ok(request.starts(&row.text("kind", Kind::try_new)?, authority(&row)?.as_ref(), tenant))
}

/// Under which right it was submitted, if under one.
pub(super) fn authority<F: Fields>(row: &Columns<'_, F>) -> Result<Option<Authority>, Error> {
    let document: Option<AuthorityDocument> = row.some_document("authority")?;
    row.made("authority", document.map(Authority::try_from).transpose())
}

/// How urgent it is.
pub(super) fn priority<F: Fields>(row: &Columns<'_, F>) -> Result<Priority, Error> {
    let priority = Priority::try_new(row.number("priority")?);
    row.made("priority", priority.ok_or("out of range"))
}
