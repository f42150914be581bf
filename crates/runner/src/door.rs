//! The paid door: the only way from a stage to a provider.
//!
//! Replay, reserve, send, settle; in that order, each step a file of its own.

mod close;
mod late;
mod open;
mod replay;
mod send;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use koinon_budget::{Price, ProfileId};
use koinon_domain::{Digest, HoldId, ItemKey, Progress, StageName};
use koinon_provider::Request;
use koinon_store::{CallRef, CheckpointKey, Stored};
use tokio::sync::{Notify, Semaphore};

pub(crate) use replay::Known;

use crate::committer::Place;
use crate::context::Running;
use crate::{Failure, JobError};

/// An answer that was paid for, now or earlier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The text.
    pub text: String,
    /// The digest of stage, item and request: the same in every run of the same work.
    pub call: Digest,
    /// Whether it was stored before, so that nothing was sent.
    pub replayed: bool,
}

/// Why an answer is of no use to its workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// A stable word for it.
    pub code: String,
    /// What is wrong, for people; no part of the answer.
    pub message: String,
}

/// Who calls.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) stage: StageName,
    pub(crate) item: Option<ItemKey>,
    pub(crate) sample: u32,
    /// Whether the call starts its item, which is counted once.
    pub(crate) starts_item: bool,
    /// The places of the items beside it, which a failure closes: none starts any more.
    pub(crate) places: Option<Arc<Semaphore>>,
}

impl Caller {
    /// No item starts any more beside one that has failed. To be said before anything else is waited for: by then
    /// a place may be free that the next item would take.
    fn failed(&self) {
        if let Some(places) = &self.places {
            places.close();
        }
    }

    /// The same where what came back is of no use, and its item is not given up but asked for again.
    fn heed<T>(&self, judged: Result<Judged<T>, JobError>) -> Result<Judged<T>, JobError> {
        if matches!(judged, Err(_) | Ok(Judged::Rejected(_, None))) {
            self.failed();
        }
        judged
    }
}

/// A call whose hold is open.
#[derive(Debug)]
pub(crate) struct Opened {
    hold: HoldId,
    call: CallRef,
    price: Option<Price>,
}

/// What a price lookup says about a model.
#[derive(Debug, Clone)]
struct Quote {
    price: Option<Price>,
    profile: Option<ProfileId>,
}

/// The holds of this claim that are open, and a bell for each that ends.
#[derive(Debug, Default)]
pub(crate) struct OpenHolds {
    count: AtomicU32,
    ended: Notify,
}

impl OpenHolds {
    fn opened(&self) {
        self.count.fetch_add(1, Ordering::AcqRel);
    }

    fn closed(&self) {
        self.count.fetch_sub(1, Ordering::AcqRel);
        self.ended.notify_waiters();
    }

    fn count(&self) -> u32 {
        self.count.load(Ordering::Acquire)
    }
}

/// What came back from a call that was charged.
pub(crate) enum Received<'answer> {
    /// An answer.
    Answer(&'answer Answer),
    /// Something that is no answer.
    Nothing(Rejected),
}

/// What becomes of an answer that was just paid for.
pub(crate) enum Judged<T> {
    /// It is of use, and this is what it says. The result joins the settlement's commit.
    Usable(T, Option<ResultOf>),
    /// It is of no use. The result, if the item is given up, joins the settlement's commit.
    Rejected(Rejected, Option<ResultOf>),
}

/// The result of an item, ready to be stored.
pub(crate) struct ResultOf {
    pub(crate) key: CheckpointKey,
    pub(crate) bytes: Vec<u8>,
    pub(crate) progress: Option<Progress>,
    pub(crate) place: Option<Place>,
}

/// What came of a call.
pub(crate) enum Called<T> {
    /// It was answered.
    Answered(T),
    /// Its answer was rejected, and nobody will ask again.
    GivenUp(Rejected),
}

impl Running {
    /// Makes one paid call: `known` is what the ledger knew about the calls of the stage, and `judge` says
    /// what the answer is worth.
    pub(crate) async fn call<T>(
        &self,
        caller: &Caller,
        request: &Request,
        known: &Known,
        judge: impl FnOnce(Received<'_>, u32) -> Result<Judged<T>, JobError>,
    ) -> Result<Called<T>, JobError> {
        self.held.check()?;
        if request.max_output_tokens == 0 {
            let message = "a request must bound its output: max_output_tokens is 0";
            return Err(Failure::permanent(message).into());
        }
        let call = call_digest(caller, request);
        if let Some(stored) = known.answer(call, caller.sample) {
            return self.replay(call, stored.clone(), known, caller, judge).await;
        }
        if known.is_in_doubt(call, caller.sample) {
            self.check_in_doubt_policy()?;
        }
        let provider = self.provider(request).await?;
        let retry = known.next_retry(call, caller.sample);
        let call = CallRef {
            stage: caller.stage.clone(),
            item: caller.item.clone(),
            call,
            sample: caller.sample,
            retry,
        };
        let items_started = u32::from(caller.starts_item && !known.has(call.call, call.sample));
        let opened = self.open(call, items_started, request).await?;
        if known.is_in_doubt(opened.call.call, caller.sample) {
            match self.answered_since(&opened, caller).await {
                Ok(None) => {}
                Ok(Some((stored, known))) => {
                    let call = opened.call.call;
                    self.release_unsent(opened).await?;
                    return self.replay(call, stored, &known, caller, judge).await;
                }
                Err(error) => {
                    self.release_unsent(opened).await?;
                    return Err(error);
                }
            }
        }
        let outcome = self.send(&*provider, &opened, request).await;
        self.close(caller, opened, request, outcome, judge).await
    }

    async fn replay<T>(
        &self,
        call: Digest,
        stored: Stored,
        known: &Known,
        caller: &Caller,
        judge: impl FnOnce(Received<'_>, u32) -> Result<Judged<T>, JobError>,
    ) -> Result<Called<T>, JobError> {
        let bytes = crate::stored::fetch(&self.services.artifacts, stored).await?;
        self.tally.count_replay();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let answer = Answer { text, call, replayed: true };
        let judged = judge(Received::Answer(&answer), known.next_retry(call, caller.sample))?;
        self.write_judged(judged).await
    }
}

/// The digest of stage, item and request. No job is in it, so that it is the same in every run of the
/// same work.
fn call_digest(caller: &Caller, request: &Request) -> Digest {
    let item = caller.item.as_ref().map_or("", ItemKey::as_str);
    let request = request.digest();
    Digest::of_fields(&[caller.stage.as_str().as_bytes(), item.as_bytes(), request.as_bytes()])
}
