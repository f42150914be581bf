//! Settling: what a call came to is written as soon as it is known.

use std::time::{Duration, SystemTime};

use koinon_budget::{Amounts, Usage};
use koinon_domain::ErrorCode;
use koinon_provider::{Outcome, Request, RetryAfter, Sent};
use koinon_retry::Class;
use koinon_store::{Checkpoint, HoldEnd, HoldOutcome, ReconcileRequest, Stored};

use super::{Answer, Called, Caller, Judged, Opened, Received, Rejected};
use crate::committer::{NotWritten, Part};
use crate::context::Running;
use crate::{Failure, Halt, JobError};

impl Running {
    /// Ends the hold of a call as its outcome says, with the answer's checkpoint in the same commit.
    pub(super) async fn close<T>(
        &self,
        caller: &Caller,
        opened: Opened,
        request: &Request,
        outcome: Outcome,
        judge: impl FnOnce(Received<'_>, u32) -> Result<Judged<T>, JobError>,
    ) -> Result<Called<T>, JobError> {
        match outcome {
            Outcome::Answered(answer) => {
                let (usage, estimated) = used(request, answer.usage, &answer.text);
                let call = opened.call.call;
                let answer = Answer { text: answer.text, call, replayed: false };
                let judged = caller.heed(judge(Received::Answer(&answer), opened.call.retry));
                let stored = self.keep(answer.text.into_bytes()).await;
                let usable = matches!(judged, Ok(Judged::Usable(..)));
                let settled = settled(&opened, usage, estimated, stored, usable);
                self.settle(caller, opened, settled, judged).await
            }
            Outcome::Unusable { failure, usage } => {
                let (usage, estimated) = used(request, usage, "");
                let settled = settled(&opened, usage, estimated, None, false);
                let judged = if failure.class == Class::InvalidOutput {
                    let koinon_provider::Failure { code, message, .. } = failure;
                    judge(Received::Nothing(Rejected { code, message }), opened.call.retry)
                } else {
                    Err(self.failed(&failure))
                };
                self.settle(caller, opened, settled, caller.heed(judged)).await
            }
            Outcome::Released { failure, sent } => {
                caller.failed();
                let released = HoldOutcome::Released { sent: sent == Sent::Answered };
                self.end_hold(opened, released, None).await?;
                Err(self.failed(&failure))
            }
            Outcome::InDoubt { failure } => {
                caller.failed();
                self.end_hold(opened, HoldOutcome::InDoubt, None).await?;
                self.check_in_doubt_policy()?;
                Err(self.failed(&failure))
            }
        }
    }

    async fn settle<T>(
        &self,
        caller: &Caller,
        opened: Opened,
        settled: HoldOutcome,
        judged: Result<Judged<T>, JobError>,
    ) -> Result<Called<T>, JobError> {
        // Whatever stands in the way of the result, the settlement is written.
        let (judged, part) = match judged {
            Ok(mut judged) => match self.result_part(&mut judged).await {
                Ok(part) => (Ok(judged), part),
                Err(error) => (caller.heed(Err(error)), None),
            },
            Err(error) => (Err(error), None),
        };
        self.end_hold(opened, settled, part).await?;
        called(judged?)
    }

    /// Writes what a stored answer is worth; its settlement was written earlier.
    pub(super) async fn write_judged<T>(
        &self,
        mut judged: Judged<T>,
    ) -> Result<Called<T>, JobError> {
        if let Some(part) = self.result_part(&mut judged).await? {
            self.committer.write(part).await?;
        }
        called(judged)
    }

    async fn result_part<T>(&self, judged: &mut Judged<T>) -> Result<Option<Part>, JobError> {
        let (Judged::Usable(_, result) | Judged::Rejected(_, result)) = judged;
        let Some(result) = result else { return Ok(None) };
        let bytes = std::mem::take(&mut result.bytes);
        let stored = crate::stored::store(&self.services.artifacts, bytes).await?;
        let checkpoint = Checkpoint { key: result.key.clone(), result: stored };
        let (progress, place) = (result.progress.take(), result.place.take());
        Ok(Some(Part { checkpoint: Some(checkpoint), progress, place, ..Part::default() }))
    }

    /// Ends a hold. A worker that comes too late still books what it learnt.
    pub(super) async fn end_hold(
        &self,
        opened: Opened,
        outcome: HoldOutcome,
        with: Option<Part>,
    ) -> Result<(), JobError> {
        let end = HoldEnd { id: opened.hold, outcome };
        let part = Part { hold_end: Some(end.clone()), ..with.unwrap_or_default() };
        let written = self.committer.write(part).await;
        self.holds.closed();
        if matches!(written, Err(NotWritten::Stale)) {
            self.reconcile(end).await;
        }
        Ok(written?)
    }

    async fn reconcile(&self, end: HoldEnd) {
        let outcome = match end.outcome {
            HoldOutcome::Settled { cost, usage, answer, usable, .. } => {
                let answer = answer.filter(|_| usable);
                koinon_store::Outcome::Charged { cost, usage: Some(usage), answer }
            }
            HoldOutcome::Released { .. } => koinon_store::Outcome::Nothing,
            HoldOutcome::InDoubt => return,
        };
        let tenant = self.spec.tenant.clone();
        let request = ReconcileRequest { tenant, hold: end.id, outcome };
        match self.services.ledger.reconcile(request).await {
            Ok(answer) => {
                tracing::info!(job = %self.spec.id, ?answer, "a late answer was booked");
            }
            Err(error) => {
                tracing::warn!(job = %self.spec.id, %error, "a late answer was not booked");
            }
        }
    }

    /// The answer as the ledger keeps it. An answer that cannot be kept is settled without it: the money
    /// is spent all the same.
    async fn keep(&self, bytes: Vec<u8>) -> Option<Stored> {
        match crate::stored::store(&self.services.artifacts, bytes).await {
            Ok(stored) => Some(stored),
            Err(error) => {
                tracing::warn!(job = %self.spec.id, %error, "an answer could not be kept");
                None
            }
        }
    }

    /// The engine's failure for a provider's.
    fn failed(&self, failure: &koinon_provider::Failure) -> JobError {
        match failure.class {
            Class::LeaseLost => return Halt::LeaseLost.into(),
            Class::Interrupted => return self.held.halted().unwrap_or(Halt::Interrupted).into(),
            _ => {}
        }
        let wait = failure.retry_after.map(|told| self.until(told));
        let message = format!("{}: {}", failure.code, failure.message);
        let mut failed = Failure::new(failure.class, message).retry_after(wait);
        if failure.code == ErrorCode::PROVIDER_AUTH.as_str() {
            failed = failed.with_code(ErrorCode::PROVIDER_AUTH);
        }
        failed.into()
    }

    fn until(&self, told: RetryAfter) -> Duration {
        match told {
            RetryAfter::Delay(wait) => wait,
            RetryAfter::At(at) => {
                let micros = u64::try_from(self.services.clock.now().as_micros()).unwrap_or(0);
                let now = SystemTime::UNIX_EPOCH + Duration::from_micros(micros);
                at.duration_since(now).unwrap_or_default()
            }
        }
    }
}

fn settled(
    opened: &Opened,
    usage: Usage,
    estimated: bool,
    answer: Option<Stored>,
    usable: bool,
) -> HoldOutcome {
    let cost = opened.price.map_or_else(Default::default, |price| price.cost(usage));
    let cost = Amounts::of_call(cost, usage);
    let usable = usable && answer.is_some();
    HoldOutcome::Settled { cost, usage, estimated, answer, usable }
}

/// What a call used; estimated at four bytes a token where the provider does not say.
fn used(request: &Request, usage: Option<Usage>, text: &str) -> (Usage, bool) {
    if let Some(usage) = usage {
        return (usage, false);
    }
    let estimate = Usage {
        input_tokens: request.input_bytes().div_ceil(4),
        cached_input_tokens: 0,
        output_tokens: (text.len() as u64).div_ceil(4),
    };
    (estimate, true)
}

/// An answer that was rejected and whose item is not given up is asked for again in a later claim.
fn called<T>(judged: Judged<T>) -> Result<Called<T>, JobError> {
    match judged {
        Judged::Usable(value, _) => Ok(Called::Answered(value)),
        Judged::Rejected(rejected, Some(_)) => Ok(Called::GivenUp(rejected)),
        Judged::Rejected(rejected, None) => {
            let message = format!("{}: {}", rejected.code, rejected.message);
            Err(Failure::new(Class::InvalidOutput, message).into())
        }
    }
}
