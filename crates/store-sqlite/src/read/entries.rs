//! A page of a job's ledger.

use koinon_domain::{JobId, TenantId};
use koinon_store::{Entry, Error};

use crate::statement::query;
use crate::{SqliteStore, row};

pub(crate) async fn entries(
    store: &SqliteStore,
    tenant: &TenantId,
    job: JobId,
    skip: u64,
    limit: u32,
) -> Result<Vec<Entry>, Error> {
    let query = query(include_str!("../sql/entries.sql"))
        .bind(tenant.to_string())
        .bind(job.as_uuid())
        .bind(row::int(skip))
        .bind(i64::from(limit));
    store.all(query).await?.iter().map(row::entry).collect()
}
