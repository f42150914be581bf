//! The workers that were seen lately.

use std::time::Duration;

use koinon_store::{Error, SeenWorker};

use crate::PostgresStore;
use crate::row;

pub(crate) async fn workers(
    store: &PostgresStore,
    within: Duration,
) -> Result<Vec<SeenWorker>, Error> {
    let query = sqlx::query(include_str!("../sql/workers.sql"))
        .bind(store.given())
        .bind(within.as_secs_f64());
    store.all(query).await?.iter().map(row::worker).collect()
}
