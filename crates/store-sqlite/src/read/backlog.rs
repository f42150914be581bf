//! How much waits and runs in each queue.

use koinon_domain::QueueName;
use koinon_store::{Error, QueueBacklog};

use crate::SqliteStore;
use crate::row;
use crate::statement::query;

pub(crate) async fn backlog(
    store: &SqliteStore,
    queues: &[QueueName],
) -> Result<Vec<QueueBacklog>, Error> {
    let query = query(include_str!("../sql/backlog.sql"))
        .bind(store.now().as_micros())
        .bind(row::texts(queues.iter().map(QueueName::as_str)));
    store.all(query).await?.iter().map(row::backlog).collect()
}
