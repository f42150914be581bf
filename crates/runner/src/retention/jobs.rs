//! Jobs that ended long ago.

use std::collections::HashSet;

use koinon_domain::{JobId, QueueName, State};
use koinon_store::{Error, Old, Pruned};
use tokio_util::sync::CancellationToken;

use super::{JOBS_MAX, ROWS_MAX, Sweep, Swept};
use crate::Services;

impl Services {
    /// Removes, or counts, jobs of this database that ended longer ago than [`Services::keep`] keeps them, until
    /// `stop` is cancelled. Between transactions it rests as long as they took.
    ///
    /// # Errors
    ///
    /// Those of the store; the next sweep goes on where this one ended.
    ///
    /// # Cancel safety
    ///
    /// What was removed is gone, and each transaction happens completely or not at all.
    pub async fn sweep_jobs(
        &self,
        sweep: Sweep,
        stop: &CancellationToken,
        swept: &mut Swept,
    ) -> Result<(), Error> {
        for queue in self.retention.ended_queues().await? {
            let mut pruned = Pruned::default();
            for state in State::ALL {
                let Some(kept_for) = self.keep.keep(&queue).for_state(state) else { continue };
                let old = Old { queue: queue.clone(), state, kept_for };
                let of_state = match sweep {
                    Sweep::Remove => self.remove_old(&old, stop).await?,
                    Sweep::DryRun => self.count_old(&old, stop, &mut swept.gone).await?,
                };
                pruned = pruned.plus(of_state);
            }
            note(queue, pruned, swept);
        }
        Ok(())
    }

    async fn remove_old(&self, old: &Old, stop: &CancellationToken) -> Result<Pruned, Error> {
        let mut all = Pruned::default();
        while !stop.is_cancelled() {
            let since = self.clock.monotonic();
            let pruned = self.retention.prune_jobs(old, JOBS_MAX).await?;
            all = all.plus(pruned);
            if pruned.jobs < u64::from(JOBS_MAX) {
                break;
            }
            self.rest(since).await;
        }
        Ok(all)
    }

    async fn count_old(
        &self,
        old: &Old,
        stop: &CancellationToken,
        gone: &mut HashSet<JobId>,
    ) -> Result<Pruned, Error> {
        let (mut all, mut after) = (Pruned::default(), None);
        while !stop.is_cancelled() {
            let page = self.retention.old_jobs(old, after, ROWS_MAX).await?;
            all = all.plus(page.pruned);
            gone.extend(page.jobs);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        Ok(all)
    }
}

/// A queue may have jobs in several databases, if it was moved.
fn note(queue: QueueName, pruned: Pruned, swept: &mut Swept) {
    if pruned != Pruned::default() {
        let all = swept.queues.entry(queue).or_default();
        *all = all.plus(pruned);
    }
}
