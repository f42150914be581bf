//! The results of a stage.

use koinon_domain::{JobId, StageName};
use koinon_store::{Error, StoredCheckpoint};

use crate::statement::query;
use crate::{SqliteStore, row};

pub(crate) async fn checkpoints(
    store: &SqliteStore,
    job: JobId,
    stage: &StageName,
) -> Result<Vec<StoredCheckpoint>, Error> {
    let query =
        query(include_str!("../sql/checkpoints.sql")).bind(job.as_uuid()).bind(stage.to_string());
    store.all(query).await?.iter().map(row::checkpoint).collect()
}
