//! One job.

use koinon_domain::{JobId, TenantId};
use koinon_store::{Error, JobStatus};

use crate::statement::query;
use crate::{SqliteStore, row};

pub(crate) async fn job(
    store: &SqliteStore,
    tenant: &TenantId,
    job: JobId,
) -> Result<Option<JobStatus>, Error> {
    let query = query(include_str!("../sql/job.sql")).bind(tenant.to_string()).bind(job.as_uuid());
    store.first(query).await?.as_ref().map(row::status).transpose()
}
