//! Holds in doubt.

use koinon_domain::{JobId, TenantId};
use koinon_store::{Error, InDoubt};

use crate::PostgresStore;
use crate::row::{self, Columns};

pub(crate) async fn in_doubt(
    store: &PostgresStore,
    tenant: &TenantId,
    job: Option<JobId>,
    limit: u32,
) -> Result<Vec<InDoubt>, Error> {
    let query = sqlx::query(include_str!("../sql/in_doubt.sql"))
        .bind(tenant.to_string())
        .bind(job.map(JobId::as_uuid))
        .bind(i64::from(limit));
    let rows = store.all(query).await?;
    let holds = rows.iter().map(|found| {
        Ok(InDoubt { job: Columns::new(found, "a hold").job()?, hold: row::hold(found)? })
    });
    holds.collect()
}
