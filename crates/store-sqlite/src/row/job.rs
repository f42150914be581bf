//! What a job was asked to do.

use koinon_store::JobSpec;
use koinon_store::row::{AuthorityDocument, LimitsDocument, json};

use crate::statement::Query;

/// A new job, and the how-manieth of its identity it is.
#[derive(Debug)]
pub(crate) struct NewJobRow {
    pub(crate) spec: JobSpec,
    pub(crate) incarnation: i64,
}

/// Adds the arguments of a new job.
pub(crate) fn bind_job<'a>(query: Query<'a>, row: &'a NewJobRow) -> Query<'a> {
    let spec = &row.spec;
    let authority = spec.authority.as_ref().map(AuthorityDocument::from);
    query
        .bind(spec.id.as_uuid())
        .bind(spec.tenant.as_str())
        .bind(spec.project.as_str())
        .bind(spec.kind.as_str())
        .bind(spec.queue.as_str())
        .bind(spec.identity.as_bytes().as_slice())
        .bind(row.incarnation)
        .bind(i64::from(spec.priority.get()))
        .bind(spec.payload.as_slice())
        .bind(authority.as_ref().map(json))
        .bind(json(&LimitsDocument::from(spec.limits)))
        .bind(i64::from(spec.max_attempts))
        .bind(spec.submitted_at.as_micros())
}
