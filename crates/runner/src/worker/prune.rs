//! Sweeping what is no longer kept, one worker at a time.

use std::sync::Arc;
use std::time::Duration;

use super::Core;
use crate::retention::{Sweep, SweepError, Swept};

/// The name of the turn.
const TURN: &str = "retention";

/// Looks every so often whether it is this worker's turn to sweep, until the worker is told to stop. Asking
/// costs one statement each time, and nothing where everything is kept for ever.
pub(super) async fn sweep(core: Arc<Core>) {
    if core.services.keep.keeps_all() {
        return;
    }
    let every = core.config.sweep_every;
    let wait = (every / 4).clamp(Duration::from_secs(1), Duration::from_hours(1));
    while !core.stop.is_cancelled() {
        let Some(swept) = core.unless_closed(core.sweep_in_turn(every)).await else { return };
        if let Err(error) = swept {
            tracing::warn!(%error, "what is no longer kept could not be swept; the next turn goes on");
        }
        tokio::select! {
            go_on = core.pause(wait) => if !go_on { return },
            () = core.stop.cancelled() => return,
        }
    }
}

impl Core {
    async fn sweep_in_turn(&self, every: Duration) -> Result<(), SweepError> {
        if !self.services.retention.take_turn(TURN, every).await? {
            return Ok(());
        }
        let mut swept = Swept::default();
        self.services.sweep_jobs(Sweep::Remove, &self.stop, &mut swept).await?;
        // The turn is there to keep the workers of several databases from doing it all at once. Half the time lets
        // none of them come too early for it and wait for another round.
        if self.services.is_turn_for_blobs(every / 2, &mut swept).await? {
            self.services.sweep_blobs(Sweep::Remove, &self.stop, &mut swept).await?;
        }
        for (queue, pruned) in &swept.queues {
            let (jobs, events, checkpoints) = (pruned.jobs, pruned.events, pruned.checkpoints);
            tracing::info!(%queue, jobs, events, checkpoints, "jobs that ended long ago were pruned");
        }
        if !swept.unavailable.is_empty() {
            let databases = swept.unavailable.join(", ");
            tracing::warn!(databases, "blobs stay: databases that may name some cannot be asked");
        }
        if swept.other_databases > 0 {
            let databases = swept.other_databases;
            tracing::warn!(databases, "blobs stay: other databases keep theirs in the same store");
        }
        if swept.blobs > 0 {
            let (blobs, size_bytes) = (swept.blobs, swept.blob_bytes);
            tracing::info!(blobs, size_bytes, "blobs that no row names were removed");
        }
        Ok(())
    }
}
