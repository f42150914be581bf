//! Pausing a queue, and letting it go on: one statement each.

use koinon_domain::QueueName;
use koinon_store::Error;

use crate::store::Shared;
use crate::tx::{Query, Tx};

/// Answers whether the queue was not paused before.
pub(crate) async fn pause_queue(shared: &Shared, queue: &QueueName) -> Result<bool, Error> {
    let query = sqlx::query(include_str!("../sql/pause_queue.sql"))
        .bind(queue.as_str())
        .bind(shared.time.given());
    changes(shared, query).await
}

/// Answers whether the queue was paused.
pub(crate) async fn resume_queue(shared: &Shared, queue: &QueueName) -> Result<bool, Error> {
    changes(shared, sqlx::query(include_str!("../sql/resume_queue.sql")).bind(queue.as_str())).await
}

/// Whether a statement wrote a row.
async fn changes(shared: &Shared, query: Query<'_>) -> Result<bool, Error> {
    let mut tx = Tx::each(shared, &shared.pool).await?;
    let wrote = tx.write_returning(query).await;
    Ok(tx.settle(wrote).await?.is_some())
}
