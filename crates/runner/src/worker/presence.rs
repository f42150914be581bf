//! Telling people that this worker is there.

use std::sync::Arc;
use std::time::Duration;

use koinon_store::WorkerCard;

use super::Core;

/// So often a worker says that it is there: seldom, because only people who ask depend on it.
const TOLD_EVERY: Duration = Duration::from_secs(30);

/// The end of a worker does not wait for longer to be told.
const TOLD_WITHIN: Duration = Duration::from_millis(500);

/// Says that the worker is there, again and again, until it is closed, and then that it has gone.
pub(super) async fn presence(core: Arc<Core>) {
    let card = WorkerCard {
        id: core.id,
        kinds: core.services.workloads.kinds().map(str::to_owned).collect(),
        queues: core.lanes.iter().map(|lane| lane.queue().clone()).collect(),
        capacity: u32::try_from(core.capacity).unwrap_or(u32::MAX),
    };
    loop {
        tokio::select! {
            told = core.services.workers.seen(&card) => if let Err(error) = told {
                tracing::debug!(%error, "nobody was told that this worker is there");
            },
            () = core.closed.cancelled() => break,
        }
        if !core.pause(TOLD_EVERY).await {
            break;
        }
    }
    let gone = tokio::time::timeout(TOLD_WITHIN, core.services.workers.gone(core.id)).await;
    if !matches!(gone, Ok(Ok(()))) {
        tracing::debug!("nobody was told that this worker has gone; it is forgotten in a while");
    }
}
