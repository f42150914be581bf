//! What the ledger knows about the calls of a stage.

use koinon_domain::{JobId, StageName};
use koinon_store::{CallRecord, Error};

use crate::{PostgresStore, row};

pub(crate) async fn calls(
    store: &PostgresStore,
    job: JobId,
    stage: &StageName,
) -> Result<Vec<CallRecord>, Error> {
    let query =
        sqlx::query(include_str!("../sql/calls.sql")).bind(job.as_uuid()).bind(stage.to_string());
    row::calls(&store.all(query).await?)
}
