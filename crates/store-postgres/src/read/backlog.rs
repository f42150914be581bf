//! How much waits and runs in each queue.

use koinon_domain::QueueName;
use koinon_store::{Error, QueueBacklog, RunningLimits};

use crate::PostgresStore;
use crate::row;

pub(crate) async fn backlog(
    store: &PostgresStore,
    queues: &[(QueueName, RunningLimits)],
) -> Result<Vec<QueueBacklog>, Error> {
    let query = sqlx::query(include_str!("../sql/backlog.sql"))
        .bind(store.given())
        .bind(queues.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>())
        .bind(queues.iter().map(|(_, limits)| limits.running.map(i64::from)).collect::<Vec<_>>())
        .bind(
            queues.iter().map(|(_, limits)| limits.per_tenant.map(i64::from)).collect::<Vec<_>>(),
        );
    let mut found: Vec<_> =
        store.all(query).await?.iter().map(row::backlog).collect::<Result<_, _>>()?;
    // Databases order text in ways of their own.
    found.sort_by(|a, b| a.queue.cmp(&b.queue));
    Ok(found)
}
