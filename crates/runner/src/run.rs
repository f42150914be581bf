//! The line that a claimed job goes down: load, start, run, classify, settle.

mod authority;
mod classify;
mod execute;
mod settle;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use koinon_store::{End, JobSpec, Run};

use crate::Halt;
use crate::committer::Committer;
use crate::held::Held;
use crate::worker::{Begun, Core, Promise, Seat, Turn};

/// So long a job that this program cannot run is left to others.
const DEFERRED_FOR: Duration = Duration::from_secs(30);

/// A run of one claim.
struct ClaimedRun {
    core: Arc<Core>,
    held: Arc<Held>,
    committer: Committer,
    spec: Arc<JobSpec>,
    /// How the job stood when it was loaded.
    stood: Run,
}

impl Core {
    /// Begins some claimed jobs; what runs each to the end of its claim.
    pub(crate) fn begin_each(
        self: &Arc<Self>,
        begun: Vec<Begun>,
    ) -> Vec<impl Future<Output = ()> + Send + 'static> {
        begun.into_iter().map(|begun| self.begin(begun)).collect()
    }

    fn begin(self: &Arc<Self>, begun: Begun) -> impl Future<Output = ()> + Send + 'static {
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
        let (core, spec) = (Arc::clone(self), Arc::new(claim.spec));
        ClaimedRun { core, held, committer, spec, stood: claim.run }.run(begun.seat)
    }
}

impl ClaimedRun {
    /// Runs the job to the end of the claim, once it is its turn.
    async fn run(self, seat: Seat) {
        let (end, turn) = match self.seated(seat).await {
            Ok(turn) => {
                let turn = Arc::new(turn);
                (self.execute(&turn).await, Some(turn))
            }
            Err(halt) => (self.classify(Err(halt.into())).await, None),
        };
        let leaving = Leaving::begin(&self.core, turn);
        self.settle(end).await;
        self.core.held.remove(&self.held);
        drop(leaving);
        self.core.freed();
    }

    /// The turn of the run; one that was promised comes once the end of the run before is written.
    async fn seated(&self, seat: Seat) -> Result<Turn, Halt> {
        let promised = match seat {
            Seat::Free(turn) => return Ok(turn),
            Seat::Promised(promised) => promised,
        };
        tokio::select! {
            biased;
            turn = promised => turn.map_err(|_| Halt::Interrupted),
            halt = self.held.until_halted() => Err(halt),
            () = self.watch_lease() => Err(Halt::LeaseLost),
        }
    }
}

/// The turn of a run whose end is being written. A claim may take it over from then on, but for one that the
/// workload still has: that is kept until the workload has ended too.
enum Leaving {
    Promised(#[expect(dead_code, reason = "it is kept")] Promise),
    Kept(Arc<Core>, #[expect(dead_code, reason = "it is kept")] Option<Arc<Turn>>),
}

impl Leaving {
    fn begin(core: &Arc<Core>, turn: Option<Arc<Turn>>) -> Self {
        let kept = match turn.map(Arc::try_unwrap) {
            Some(Ok(turn)) => match turn.promise() {
                Ok(promise) => return Self::Promised(promise),
                Err(turn) => Some(Arc::new(turn)),
            },
            Some(Err(shared)) => Some(shared),
            None => None,
        };
        core.ending.fetch_add(1, Ordering::AcqRel);
        Self::Kept(Arc::clone(core), kept)
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        if let Self::Kept(core, _) = self {
            core.ending.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

/// How a claim ends; `None` if nothing may be written any more.
type ClaimEnd = Option<End>;
