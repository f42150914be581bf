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
        .bind(authority.as_ref().map(json))
        .bind(json(&LimitsDocument::from(spec.limits)))
        .bind(i64::from(spec.max_attempts))
        .bind(spec.submitted_at.as_micros())
}
