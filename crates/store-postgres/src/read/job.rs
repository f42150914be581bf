//! One job.

use koinon_domain::{JobId, TenantId};
use koinon_store::{Error, JobStatus};

use crate::{PostgresStore, row};

pub(crate) async fn job(
    store: &PostgresStore,
    tenant: &TenantId,
    job: JobId,
) -> Result<Option<JobStatus>, Error> {
    let query =
        sqlx::query(include_str!("../sql/job.sql")).bind(tenant.to_string()).bind(job.as_uuid());
    store.first(query).await?.as_ref().map(row::status).transpose()
}
