//! Running the workload, until it ends or has to be ended.

use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use koinon_domain::{ErrorCode, State};
use koinon_retry::Class;
use koinon_store::{End, Manifest, Note};
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument as _;

use super::{ClaimEnd, ClaimedRun, DEFERRED_FOR, authority};
use crate::committer::{NotWritten, Part, Sent};
use crate::context::Running;
use crate::worker::Turn;
use crate::workload::AnyWorkload;
use crate::{Failure, Halt, JobContext, JobError};

/// So long a workload that was told to stop at once may take to let go.
const ABORT_FOR: Duration = Duration::from_millis(250);

impl ClaimedRun {
    /// Runs the claim and says how it ends.
    pub(super) async fn execute(&self, turn: &Arc<Turn>) -> ClaimEnd {
        let kind = self.spec.kind.as_str();
        let Some(workload) = self.core.services.workloads.get(kind) else {
            return self.hand_back_unknown(kind).await;
        };
        if let Err(failure) = authority::check(&self.spec) {
            return self.classify(Err(failure.into())).await;
        }
        let span = tracing::info_span!(
            "job",
            job = %self.held.job,
            generation = %self.held.generation,
            kind
        );
        let result = self.run_guarded(workload, turn).instrument(span).await;
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
    async fn run_guarded(
        &self,
        workload: Arc<dyn AnyWorkload>,
        turn: &Arc<Turn>,
    ) -> Result<Manifest, JobError> {
        let running = Arc::new(Running {
            services: Arc::clone(&self.core.services),
            config: self.core.config,
            spec: Arc::clone(&self.spec),
            held: Arc::clone(&self.held),
            committer: self.committer.clone(),
            tally: Arc::clone(&self.core.tally),
            root: turn.permit.root(),
            stages: workload.stages(),
            is_first: self.stood.last_commit.is_none(),
            begun: Mutex::default(),
            attached: Mutex::default(),
            holds: crate::door::OpenHolds::default(),
        });
        let start = self.start().await?;
        let mut work = self.spawn(workload, JobContext(Arc::clone(&running)), Arc::clone(turn));
        let ended: JobError = tokio::select! {
            done = &mut work => {
                let summary = done.unwrap_or_else(|_| Err(panicked()))?;
                let mut attached = running
                    .attached
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                return Ok(Manifest { artifacts: std::mem::take(&mut *attached), summary });
            }
            why = refused(start) => why.into(),
            () = self.watch_lease() => self.halt().into(),
            () = self.flushed_too_long() => self.halt().into(),
        };
        work.abort();
        // What yields is gone at once. What does not is left behind with its turn: its writes are fenced.
        let _gone = tokio::time::timeout(ABORT_FOR, work).await;
        Err(ended)
    }

    /// Hands the start in, before everything that the workload writes; `None` if the job has started with its claim.
    /// It is written with the first that the workload writes, or alone after a moment. One that is stale or
    /// refused ends the run.
    async fn start(&self) -> Result<Option<Sent>, NotWritten> {
        if self.stood.state == State::Running {
            return Ok(None);
        }
        self.committer.send(Part::start()).await.map(Some)
    }

    /// Begins to run the workload as a task of its own, which keeps its turn for as long as it lives.
    fn spawn(
        &self,
        workload: Arc<dyn AnyWorkload>,
        job: JobContext,
        turn: Arc<Turn>,
    ) -> AbortOnDropHandle<Result<Vec<u8>, JobError>> {
        let spec = Arc::clone(&self.spec);
        let committer = self.committer.clone();
        let work = async move {
            let _turn = turn;
            let mut work = workload.run(&job, &spec.payload);
            // One that waits now and has written nothing does not write soon.
            match futures::poll!(&mut work) {
                Poll::Ready(done) => done,
                Poll::Pending => {
                    committer.go();
                    work.await
                }
            }
        };
        let work = work.instrument(tracing::Span::current());
        AbortOnDropHandle::new(match &self.core.threads {
            Some(threads) => self.core.tracker.spawn_on(work, threads),
            None => self.core.tracker.spawn(work),
        })
    }

    fn halt(&self) -> Halt {
        self.held.halted().unwrap_or(Halt::LeaseLost)
    }

    /// Stops the work when the process can no longer trust its lease; never ends by itself.
    pub(super) async fn watch_lease(&self) {
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

/// Ends only if there is a part and it could not be written.
async fn refused(part: Option<Sent>) -> NotWritten {
    if let Some(part) = part
        && let Err(why) = part.written().await
    {
        return why;
    }
    std::future::pending().await
}

fn panicked() -> JobError {
    Failure::new(Class::Transient, "the workload panicked").into()
}
