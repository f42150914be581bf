//! How much waits and runs in each queue.

use koinon_domain::QueueName;
use koinon_store::{Error, QueueBacklog, RunningLimits};

use crate::SqliteStore;
use crate::row;
use crate::statement::query;

pub(crate) async fn backlog(
    store: &SqliteStore,
    queues: &[(QueueName, RunningLimits)],
) -> Result<Vec<QueueBacklog>, Error> {
    let query = query(include_str!("../sql/backlog.sql"))
        .bind(store.now().as_micros())
        .bind(row::limits(queues));
    store.all(query).await?.iter().map(row::backlog).collect()
}
