//! One job.

use koinon_domain::{JobId, TenantId};
use koinon_store::{Error, JobStatus};
use sqlx::postgres::PgRow;

use crate::{PostgresStore, row};

pub(crate) async fn job(
    store: &PostgresStore,
    tenant: &TenantId,
    job: JobId,
) -> Result<Option<JobStatus>, Error> {
    let query =
        sqlx::query(include_str!("../sql/job.sql")).bind(tenant.to_string()).bind(job.as_uuid());
    store.first(query).await?.as_ref().map(status).transpose()
}

/// A row that joins `jobs` with `standings`.
pub(super) fn status(found: &PgRow) -> Result<JobStatus, Error> {
    Ok(JobStatus { spec: row::spec(found)?, run: row::run(found)? })
}
