//! Holds in doubt.

use koinon_domain::{JobId, TenantId};
use koinon_store::{Error, InDoubt};

use crate::SqliteStore;
use crate::row::{self, Columns};
use crate::statement::query;

pub(crate) async fn in_doubt(
    store: &SqliteStore,
    tenant: &TenantId,
    job: Option<JobId>,
    limit: u32,
) -> Result<Vec<InDoubt>, Error> {
    let query = query(include_str!("../sql/in_doubt.sql"))
        .bind(tenant.to_string())
        .bind(job.map(JobId::as_uuid))
        .bind(i64::from(limit));
    let rows = store.all(query).await?;
    let holds = rows.iter().map(|found| {
        Ok(InDoubt { job: Columns::new(found, "a hold").job()?, hold: row::hold(found)? })
    });
    holds.collect()
}
