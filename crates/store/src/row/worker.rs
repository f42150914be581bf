//! A worker that was seen.

use koinon_domain::QueueName;

use super::{Columns, Fields};
use crate::{Error, SeenWorker, WorkerCard};

/// A worker that was seen.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn worker<F: Fields>(row: &F) -> Result<SeenWorker, Error> {
    let row = Columns::new(row, "a worker");
    let queues: Vec<String> = row.document("queues")?;
    let queues: Result<Vec<_>, _> = queues.into_iter().map(QueueName::try_new).collect();
    let id = row.some_worker("worker_id")?;
    let card = WorkerCard {
        id: id.ok_or_else(|| row.corrupt("worker_id", "is missing"))?,
        kinds: row.document("kinds")?,
        queues: row.made("queues", queues)?,
        capacity: row.number("capacity")?,
    };
    let (started_at, seen_at) = (row.instant("started_at")?, row.instant("seen_at")?);
    Ok(SeenWorker { card, started_at, seen_at })
}
