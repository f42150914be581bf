//! Running the workload, until it ends or has to be ended.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};

use futures::FutureExt as _;
use koinon_domain::ErrorCode;
use koinon_retry::Class;
use koinon_store::{End, Manifest, Note};
use tracing::Instrument as _;

use super::{ClaimEnd, ClaimedRun, DEFERRED_FOR, authority};
use crate::committer::Part;
use crate::context::Running;
use crate::workload::AnyWorkload;
use crate::{Failure, Halt, JobContext, JobError};

impl ClaimedRun {
    /// Runs the claim and says how it ends.
    pub(super) async fn execute(&self) -> ClaimEnd {
        let kind = self.claim.spec.kind.as_str();
        let Some(workload) = self.core.services.workloads.get(kind) else {
            return self.hand_back_unknown(kind).await;
        };
        if let Err(failure) = authority::check(&self.claim.spec) {
            return self.classify(Err(failure.into())).await;
        }
        if let Err(why) = self.committer.write(Part { started: true, ..Part::default() }).await {
            return self.classify(Err(why.into())).await;
        }
        let span = tracing::info_span!(
            "job",
            job = %self.held.job,
            generation = %self.held.generation,
            kind
        );
        let result = self.run_guarded(workload).instrument(span).await;
        self.classify(result).await
    }

    /// A kind that nobody here knows is somebody else's, a newer program's perhaps; it never fails.
    async fn hand_back_unknown(&self, kind: &str) -> ClaimEnd {
        let detail = vec![("kind".to_owned(), kind.to_owned())];
        let note = Note { name: ErrorCode::UNKNOWN_KIND.as_str().to_owned(), detail };
        let end = End::HandedBack { wait: DEFERRED_FOR, interrupted: false };
        match self.committer.write(Part { notes: vec![note], ..Part::default() }).await {
            Ok(()) => Some(end),
            Err(why) => self.classify(Err(why.into())).await,
        }
    }

    /// Runs the workload beside the watches that may end it.
    async fn run_guarded(&self, workload: Arc<dyn AnyWorkload>) -> Result<Manifest, JobError> {
        let running = Arc::new(Running {
            services: self.core.services.clone(),
            config: self.core.config,
            spec: self.claim.spec.clone(),
            held: Arc::clone(&self.held),
            committer: self.committer.clone(),
            tally: Arc::clone(&self.core.tally),
            root: self.permit.root(),
            stages: workload.stages(),
            attached: Mutex::default(),
            holds: crate::door::OpenHolds::default(),
        });
        let context = JobContext(Arc::clone(&running));
        let work =
            AssertUnwindSafe(workload.run(&context, &self.claim.spec.payload)).catch_unwind();
        tokio::select! {
            done = work => {
                let summary = done.map_err(|_| panicked())??;
                let mut attached = running
                    .attached
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                Ok(Manifest { artifacts: std::mem::take(&mut *attached), summary })
            }
            () = self.watch_lease() => Err(self.halt().into()),
            () = self.flushed_too_long() => Err(self.halt().into()),
        }
    }

    fn halt(&self) -> Halt {
        self.held.halted().unwrap_or(Halt::LeaseLost)
    }

    /// Stops the work when the process can no longer trust its lease; never ends by itself.
    async fn watch_lease(&self) {
        loop {
            let now = self.core.services.clock.monotonic();
            let until = self.held.trusted_until();
            if now >= until {
                // What is under way may still finish: its commit is fenced.
                self.held.stop(Halt::LeaseLost);
                std::future::pending::<()>().await;
            }
            tokio::time::sleep(until - now).await;
        }
    }

    /// Ends when work that was told to stop has had its time to finish.
    async fn flushed_too_long(&self) {
        self.held.until_halted().await;
        tokio::time::sleep(self.core.config.flush_for).await;
    }
}

fn panicked() -> JobError {
    Failure::new(Class::Transient, "the workload panicked").into()
}
