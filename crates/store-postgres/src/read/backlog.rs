//! How much waits and runs in each queue.

use koinon_domain::QueueName;
use koinon_store::{Error, QueueBacklog};

use crate::PostgresStore;
use crate::row;

pub(crate) async fn backlog(
    store: &PostgresStore,
    queues: &[QueueName],
) -> Result<Vec<QueueBacklog>, Error> {
    let query = sqlx::query(include_str!("../sql/backlog.sql"))
        .bind(store.given())
        .bind(queues.iter().map(QueueName::as_str).collect::<Vec<_>>());
    let mut found: Vec<_> =
        store.all(query).await?.iter().map(row::backlog).collect::<Result<_, _>>()?;
    // Databases order text in ways of their own.
    found.sort_by(|a, b| a.queue.cmp(&b.queue));
    Ok(found)
}
