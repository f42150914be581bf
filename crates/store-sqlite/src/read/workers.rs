//! The workers that were seen lately.

use std::time::Duration;

use koinon_store::{Error, SeenWorker};

use crate::SqliteStore;
use crate::row;
use crate::statement::query;

pub(crate) async fn workers(
    store: &SqliteStore,
    within: Duration,
) -> Result<Vec<SeenWorker>, Error> {
    let since = store.now().before(within).as_micros();
    let query = query(include_str!("../sql/workers.sql")).bind(since);
    store.all(query).await?.iter().map(row::worker).collect()
}
