//! The end of a worker.

use std::time::Duration;

use super::Worker;
use crate::Halt;

/// How a drain ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Drained {
    /// Everything was settled or handed back.
    Clean,
    /// The hard deadline cut something; recovery will find it.
    Cut,
}

impl Worker {
    /// Ends the worker: no new claims; what runs has `drain_for` to end by itself, then is interrupted and
    /// has `flush_for` to flush, then is handed back. Heartbeats go on until the last job has ended.
    ///
    /// # Cancel safety
    ///
    /// A drain that is dropped leaves what still runs to recovery.
    pub async fn drain(&self) -> Drained {
        self.stop();
        let core = &self.0;
        if tokio::time::timeout(core.config.drain_for, core.bulkhead.drained()).await.is_err() {
            core.interrupt.cancel();
            for held in core.held.all() {
                held.stop(Halt::Interrupted);
            }
        }
        let rest = core.config.flush_for + Duration::from_secs(2);
        let drained = match tokio::time::timeout(rest, core.bulkhead.drained()).await {
            Ok(()) => Drained::Clean,
            Err(_) => {
                for held in core.held.all() {
                    tracing::error!(job = %held.job, "it did not end before the hard deadline");
                }
                Drained::Cut
            }
        };
        core.closed.cancel();
        core.tracker.close();
        if tokio::time::timeout(Duration::from_secs(1), core.tracker.wait()).await.is_err() {
            return Drained::Cut;
        }
        drained
    }
}
