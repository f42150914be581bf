//! Pausing a queue, and letting it go on.

use koinon_domain::QueueName;

use crate::error::Failure;
use crate::statement::query;
use crate::tx::Tx;

/// What is to become of a queue.
#[derive(Debug)]
pub(crate) enum QueueChange {
    Pause(QueueName),
    Resume(QueueName),
}

/// Answers whether anything changed.
pub(crate) fn change_queue(tx: &mut Tx<'_>, change: &QueueChange) -> Result<bool, Failure> {
    let query = match change {
        QueueChange::Pause(queue) => query(include_str!("../sql/pause_queue.sql"))
            .bind(queue.to_string())
            .bind(tx.now().as_micros()),
        QueueChange::Resume(queue) => {
            query(include_str!("../sql/resume_queue.sql")).bind(queue.to_string())
        }
    };
    Ok(tx.write_returning(&query)?.is_some())
}
