//! Noting which workers there are.

use koinon_domain::{QueueName, WorkerId};
use koinon_store::{FORGOTTEN_AFTER, WorkerCard};

use crate::error::Failure;
use crate::row;
use crate::statement::query;
use crate::tx::Tx;

/// What became of a worker.
#[derive(Debug)]
pub(crate) enum WorkerNews {
    Seen(WorkerCard),
    Gone(WorkerId),
}

/// Notes it; that one is there also lets those be forgotten that have been silent for long.
pub(crate) fn note_worker(tx: &mut Tx<'_>, news: &WorkerNews) -> Result<(), Failure> {
    let card = match news {
        WorkerNews::Seen(card) => card,
        WorkerNews::Gone(worker) => {
            let gone = query(include_str!("../sql/worker_gone.sql")).bind(worker.as_uuid());
            return tx.write(&gone);
        }
    };
    let seen = query(include_str!("../sql/worker_seen.sql"))
        .bind(card.id.as_uuid())
        .bind(row::texts(card.kinds.iter().map(String::as_str)))
        .bind(row::texts(card.queues.iter().map(QueueName::as_str)))
        .bind(i64::from(card.capacity))
        .bind(tx.now().as_micros());
    tx.write(&seen)?;
    let silent_since = tx.now().before(FORGOTTEN_AFTER).as_micros();
    tx.write(&query(include_str!("../sql/forget_workers.sql")).bind(silent_since))
}
