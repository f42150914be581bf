//! From what a workload ended with to how its claim ends.

use std::sync::atomic::Ordering;

use koinon_domain::{ErrorCode, Failed};
use koinon_retry::{Backoff, Verdict};
use koinon_store::{End, Manifest};

use super::{ClaimEnd, ClaimedRun, DEFERRED_FOR};
use crate::committer::{FULL_FOR, Part};
use crate::{Failure, Halt, JobError};

impl ClaimedRun {
    /// How the claim ends.
    pub(super) async fn classify(&self, result: Result<Manifest, JobError>) -> ClaimEnd {
        match result {
            Ok(manifest) => Some(End::Succeeded(manifest)),
            Err(JobError::Halt(halt)) => self.halted(halt).await,
            Err(JobError::Failure(failure)) => self.failed(&failure),
        }
    }

    async fn halted(&self, halt: Halt) -> ClaimEnd {
        match halt {
            Halt::LeaseLost => None,
            Halt::Pause | Halt::Cancel => Some(End::Flushed),
            Halt::Interrupted => {
                Some(End::HandedBack { wait: std::time::Duration::ZERO, interrupted: true })
            }
            Halt::NoProvider => {
                tracing::warn!(job = %self.held.job, "{halt}: the job is left to others");
                Some(End::HandedBack { wait: DEFERRED_FOR, interrupted: false })
            }
            Halt::Budget(_) => self.exhausted(ErrorCode::BUDGET_EXHAUSTED, halt).await,
            Halt::CallInDoubt => self.exhausted(ErrorCode::CALL_IN_DOUBT, halt).await,
        }
    }

    /// The job pauses for a reason of its own: first `pausing`, which clients see, then flushed.
    async fn exhausted(&self, code: ErrorCode, halt: Halt) -> ClaimEnd {
        let end = End::BudgetExhausted(Failed::new(code, &halt.to_string()));
        match self.committer.write(Part { end: Some(end), ..Part::default() }).await {
            Ok(()) => Some(End::Flushed),
            Err(why) => match JobError::from(why) {
                JobError::Halt(Halt::LeaseLost) => None,
                error => {
                    tracing::error!(job = %self.held.job, %error, "a pause could not be written");
                    None
                }
            },
        }
    }

    fn failed(&self, failure: &Failure) -> ClaimEnd {
        if *failure.code() == ErrorCode::DISK_FULL {
            return Some(self.out_of_space(failure));
        }
        let attempt = self.attempt();
        let reason = Failed::new(failure.code().clone(), failure.message());
        let verdict = match failure.class().verdict(attempt, self.stood.max_attempts) {
            Verdict::Retry if !failure.is_retryable() => Verdict::Fail,
            verdict => verdict,
        };
        tracing::warn!(
            job = %self.held.job,
            code = %failure.code(),
            attempt,
            ?verdict,
            "{} run failed", self.spec.kind
        );
        match verdict {
            Verdict::Retry => {
                let jitter = self.core.services.clock.jitter();
                let wait = Backoff::default().wait(attempt, jitter, failure.wait());
                Some(End::Retryable { failed: reason, wait })
            }
            Verdict::Fail => Some(End::Failed(reason)),
            Verdict::Pause => Some(End::BudgetExhausted(reason)),
            Verdict::HandBack => {
                Some(End::HandedBack { wait: std::time::Duration::ZERO, interrupted: true })
            }
            Verdict::Abandon => None,
        }
    }

    /// The machine has no space. That says nothing about the job, so no attempt is spent; whoever drives
    /// the job is told.
    fn out_of_space(&self, failure: &Failure) -> End {
        tracing::warn!(job = %self.held.job, "there is no space left: the job is handed back");
        self.core.note_trouble(&failure.clone().into());
        End::HandedBack { wait: FULL_FOR, interrupted: false }
    }

    /// The attempt that this claim counts as: the first checkpoint of a claim sets it to 1.
    fn attempt(&self) -> u32 {
        if self.held.checkpointed.load(Ordering::Acquire) { 1 } else { self.stood.attempt.get() }
    }
}
