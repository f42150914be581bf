//! Paid calls from inside a stage.

use std::sync::Arc;

use koinon_domain::{ItemKey, StageName};
use koinon_provider::Request;

use crate::door::{Answer, Called, Caller, Judged, Known, Received};
use crate::{Failure, JobContext, JobError};

/// What the code of a stage or item works with.
#[derive(Debug, Clone)]
pub struct StageScope {
    job: JobContext,
    caller: Caller,
    known: Arc<Known>,
}

impl StageScope {
    /// The scope of a stage, and what the ledger knows about its calls.
    pub(super) fn new(job: &JobContext, stage: StageName, known: Arc<Known>) -> Self {
        let caller = Caller { stage, item: None, sample: 0, starts_item: false, places: None };
        Self { job: job.clone(), caller, known }
    }

    /// The same scope for one of the stage's items.
    pub(super) fn of_item(&self, item: ItemKey) -> Self {
        let mut scope = self.clone();
        scope.caller.item = Some(item);
        scope
    }

    /// The job.
    #[must_use]
    pub const fn job(&self) -> &JobContext {
        &self.job
    }

    /// Makes a paid call. The answer is settled before this returns, and serves replay: the same call
    /// in a later claim sends nothing.
    ///
    /// # Errors
    ///
    /// A reason to stop (a limit, a pause, a drain), or the provider's failure.
    ///
    /// # Cancel safety
    ///
    /// A call that is dropped after it was sent stays charged, in doubt.
    pub async fn call(&self, request: &Request) -> Result<Answer, JobError> {
        self.call_sample(request, 0).await
    }

    /// Like [`call`](Self::call), for one of several wanted answers to the same request.
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub async fn call_sample(&self, request: &Request, sample: u32) -> Result<Answer, JobError> {
        let caller = Caller { sample, ..self.caller.clone() };
        let judge = |received: Received<'_>, _| {
            Ok(match received {
                Received::Answer(answer) => Judged::Usable(answer.clone(), None),
                Received::Nothing(why) => Judged::Rejected(why, None),
            })
        };
        match self.job.0.call(&caller, request, &self.known, judge).await? {
            Called::Answered(answer) => Ok(answer),
            Called::GivenUp(rejected) => Err(Failure::permanent(rejected.message).into()),
        }
    }
}
