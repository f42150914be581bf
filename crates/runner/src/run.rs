//! The line that a claimed job goes down: load, start, run, classify, settle.

mod authority;
mod classify;
mod execute;
mod settle;

use std::sync::Arc;
use std::time::Duration;

use koinon_store::{Claim, Claimed, End};

use crate::committer::Committer;
use crate::held::Held;
use crate::worker::{Core, Turn};

/// So long a job that this program cannot run is left to others.
const DEFERRED_FOR: Duration = Duration::from_secs(30);

/// A run of one claim. Its turn is kept until everything is settled and the workload has ended.
pub(crate) struct ClaimedRun {
    core: Arc<Core>,
    held: Arc<Held>,
    committer: Committer,
    claim: Claim,
    /// Shared with the workload, whose end may come later than that of the claim.
    turn: Arc<Turn>,
}

impl Core {
    /// Runs a claimed job to the end of its claim. `claimed_before` is an instant of the monotonic clock
    /// from before the claim was sent.
    pub(crate) async fn run(
        self: Arc<Self>,
        claimed: Claimed,
        turn: Turn,
        claimed_before: Duration,
    ) {
        let Some(run) = self.load(claimed, turn, claimed_before).await else { return };
        let held = Arc::clone(&run.held);
        let end = run.execute().await;
        run.settle(end).await;
        self.held.remove(&held);
        self.wake.notify_one();
    }

    /// Reads what the claim is about. A claim that is no longer the job's ends here; one that cannot be
    /// read is left to its lease.
    async fn load(
        self: &Arc<Self>,
        claimed: Claimed,
        turn: Turn,
        claimed_before: Duration,
    ) -> Option<ClaimedRun> {
        let claim = match self.services.leases.load(&claimed).await {
            Ok(Some(claim)) => claim,
            Ok(None) => return None,
            Err(error) => {
                tracing::error!(job = %claimed.job, %error, "a claimed job could not be read");
                return None;
            }
        };
        let held = Arc::new(Held::new(
            claimed.job,
            claim.spec.tenant.clone(),
            self.id,
            claimed.generation,
            self.config.lease_for,
            claimed_before,
        ));
        self.held.insert(Arc::clone(&held));
        if self.interrupt.is_cancelled() {
            held.stop(crate::Halt::Interrupted);
        }
        let leases = Arc::clone(&self.services.leases);
        let clock = Arc::clone(&self.services.clock);
        let (committer, writer) = Committer::new(Arc::clone(&held), leases, clock);
        self.tracker.spawn(writer);
        Some(ClaimedRun { core: Arc::clone(self), held, committer, claim, turn: Arc::new(turn) })
    }
}

/// How a claim ends; `None` if nothing may be written any more.
type ClaimEnd = Option<End>;
