//! The line that a claimed job goes down: load, start, run, classify, settle.

mod authority;
mod classify;
mod execute;
mod settle;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use koinon_store::{End, JobSpec, Run};

use crate::committer::Committer;
use crate::held::Held;
use crate::worker::{Begun, Core, Turn};

/// So long a job that this program cannot run is left to others.
const DEFERRED_FOR: Duration = Duration::from_secs(30);

/// A run of one claim. Its turn is kept until everything is settled and the workload has ended.
pub(crate) struct ClaimedRun {
    core: Arc<Core>,
    held: Arc<Held>,
    committer: Committer,
    spec: Arc<JobSpec>,
    /// How the job stood when it was loaded.
    stood: Run,
    /// Shared with the workload, whose end may come later than that of the claim.
    turn: Arc<Turn>,
}

impl Core {
    /// Begins some claimed jobs.
    pub(crate) fn begin_each(self: &Arc<Self>, begun: Vec<Begun>) -> Vec<ClaimedRun> {
        begun.into_iter().map(|begun| self.begin(begun)).collect()
    }

    fn begin(self: &Arc<Self>, begun: Begun) -> ClaimedRun {
        let claim = begun.claim;
        let held = Arc::new(Held::new(
            begun.claimed.job,
            claim.spec.tenant.clone(),
            self.id,
            begun.claimed.generation,
            self.config.lease_for,
            begun.claimed_before,
        ));
        self.held.insert(Arc::clone(&held));
        if self.interrupt.is_cancelled() {
            held.stop(crate::Halt::Interrupted);
        }
        let leases = Arc::clone(&self.services.leases);
        let clock = Arc::clone(&self.services.clock);
        let (committer, writer) = Committer::new(Arc::clone(&held), leases, clock);
        self.tracker.spawn(writer);
        let (core, spec, turn) = (Arc::clone(self), Arc::new(claim.spec), Arc::new(begun.turn));
        ClaimedRun { core, held, committer, spec, stood: claim.run, turn }
    }
}

impl ClaimedRun {
    /// Runs the job to the end of its claim.
    pub(crate) async fn run(self) {
        let (core, held) = (Arc::clone(&self.core), Arc::clone(&self.held));
        let end = self.execute().await;
        core.ending.fetch_add(1, Ordering::AcqRel);
        self.settle(end).await;
        core.ending.fetch_sub(1, Ordering::AcqRel);
        core.held.remove(&held);
        core.freed();
    }
}

/// How a claim ends; `None` if nothing may be written any more.
type ClaimEnd = Option<End>;
