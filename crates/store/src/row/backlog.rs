//! The backlog of a queue.

use std::time::Duration;

use koinon_domain::QueueName;

use super::{Columns, Fields};
use crate::{Error, QueueBacklog};

/// The backlog of a queue.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn backlog<F: Fields>(row: &F) -> Result<QueueBacklog, Error> {
    let row = Columns::new(row, "the backlog of a queue");
    Ok(QueueBacklog {
        queue: row.text("queue", QueueName::try_new)?,
        ready: row.number("ready")?,
        active: row.number("active")?,
        retry: row.number("retry")?,
        deferred: row.number("deferred")?,
        paused: row.number("paused")?,
        blocked: row.number("blocked")?,
        set_aside: row.number("set_aside")?,
        paused_at: row.some_instant("paused_at")?,
        oldest_ready_age: row.some_number("oldest_ready_age_ms")?.map(Duration::from_millis),
    })
}
