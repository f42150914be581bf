//! Noting which workers there are: one statement each.

use koinon_domain::{QueueName, WorkerId};
use koinon_store::{Error, FORGOTTEN_AFTER, WorkerCard};
use sqlx::types::Json;

use crate::store::Shared;
use crate::tx::{Query, Tx};

/// Notes that a worker is there, and forgets a few that have been silent for long.
pub(crate) async fn worker_seen(shared: &Shared, card: &WorkerCard) -> Result<(), Error> {
    let queues: Vec<_> = card.queues.iter().map(QueueName::as_str).collect();
    let query = sqlx::query(include_str!("../sql/worker_seen.sql"))
        .bind(card.id.as_uuid())
        .bind(Json(&card.kinds))
        .bind(Json(queues))
        .bind(i64::from(card.capacity))
        .bind(shared.time.given())
        .bind(FORGOTTEN_AFTER.as_secs_f64());
    write(shared, query).await
}

/// Notes that a worker has ended.
pub(crate) async fn worker_gone(shared: &Shared, worker: WorkerId) -> Result<(), Error> {
    write(shared, sqlx::query(include_str!("../sql/worker_gone.sql")).bind(worker.as_uuid())).await
}

async fn write(shared: &Shared, query: Query<'_>) -> Result<(), Error> {
    // Jobs that keep every connection busy must not make a worker look dead.
    let mut tx = Tx::each(shared, &shared.reserved).await?;
    let wrote = tx.write(query).await;
    Ok(tx.settle(wrote).await?)
}
