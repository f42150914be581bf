//! The one guarded write of held work.

use std::time::Duration;

use koinon_budget::{Amounts, Usage};
use koinon_domain::{CommitNo, Failed, Generation, HoldId, JobId, Progress, TenantId, WorkerId};

use crate::{CallRef, Checkpoint, Manifest, Priced, Stored};

/// Everything that one held write carries; all of it is written, or nothing.
///
/// It is idempotent by (`generation`, `commit_no`): a worker that got no answer sends the same commit
/// again. A job has at most one commit in flight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The job.
    pub job: JobId,
    /// The tenant that the worker believes owns it.
    pub tenant: TenantId,
    /// The worker that holds the lease.
    pub owner: WorkerId,
    /// The generation of its claim.
    pub generation: Generation,
    /// The number of this commit, one higher for each new one.
    pub commit_no: CommitNo,
    /// How long the lease is renewed for, if less than half of that is left.
    pub lease_for: Duration,
    /// Whether the workload has started; it comes before everything else in the commit.
    pub started: bool,
    /// How many items start.
    pub items_started: u32,
    /// Holds to open.
    pub holds: Vec<NewHold>,
    /// Holds that end.
    pub hold_ends: Vec<HoldEnd>,
    /// Results of stages and items.
    pub checkpoints: Vec<Checkpoint>,
    /// How far the work is.
    pub progress: Option<Progress>,
    /// Other things to remember.
    pub notes: Vec<Note>,
    /// How the claim ends, or moves on to `pausing`; it comes after everything else in the commit.
    pub end: Option<End>,
}

impl Commit {
    /// Whether the claim is over once this commit is applied; then every hold of its generation ends.
    #[must_use]
    pub const fn ends_claim(&self) -> bool {
        match &self.end {
            None | Some(End::BudgetExhausted(_)) => false,
            Some(
                End::Succeeded(_)
                | End::Failed(_)
                | End::Retryable { .. }
                | End::HandedBack { .. }
                | End::Flushed,
            ) => true,
        }
    }
}

/// A hold to be opened before a request is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewHold {
    /// Its id.
    pub id: HoldId,
    /// The call.
    pub call: CallRef,
    /// What it is priced by.
    pub priced: Priced,
    /// The worst case.
    pub held: Amounts,
}

/// The end of a hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldEnd {
    /// The hold.
    pub id: HoldId,
    /// How it ends.
    pub outcome: HoldOutcome,
}

/// How a hold ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HoldOutcome {
    /// The call was charged.
    Settled {
        /// What it really cost.
        cost: Amounts,
        /// The tokens.
        usage: Usage,
        /// Whether `usage` was estimated from the text.
        estimated: bool,
        /// The answer, where there is one.
        answer: Option<Stored>,
        /// Whether the answer serves replay.
        usable: bool,
    },
    /// The call was not charged.
    Released {
        /// Whether the request reached the provider: then it counts as a call.
        sent: bool,
    },
    /// Nobody knows whether the call was charged.
    InDoubt,
}

/// Something else to be remembered in the job's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The event's name.
    pub name: String,
    /// What there is to know, by name. Never a prompt, an answer or a key.
    pub detail: Vec<(String, String)>,
}

/// How a claim ends, as the worker sees it; the state machine says what that makes of the job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The workload ended well.
    Succeeded(Manifest),
    /// The workload ended for good.
    Failed(Failed),
    /// Another try may cure it.
    Retryable {
        /// Why.
        failed: Failed,
        /// How long to wait first.
        wait: Duration,
    },
    /// Given back without judgement.
    HandedBack {
        /// How long the job is left alone; zero lets any worker claim it at once.
        wait: Duration,
        /// Whether a drain is the reason, which is counted.
        interrupted: bool,
    },
    /// The budget is used up: the claim goes on in `pausing` until everything is flushed.
    BudgetExhausted(Failed),
    /// Everything is flushed, as a pause or cancel demanded.
    Flushed,
}
