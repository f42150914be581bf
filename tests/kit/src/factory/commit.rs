//! A held write.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use koinon_domain::{CommitNo, ErrorCode, Failed, Generation, HoldId, JobId, TenantId, WorkerId};
use koinon_store::{
    Checkpoint, CheckpointKey, Commit, End, HoldEnd, HoldOutcome, Manifest, NewHold, Note, Stored,
};

use super::ledger::{key, settled};
use crate::LEASE;

/// A claim as its worker knows it. It counts the commits that are built from it.
#[derive(Debug, Clone)]
pub struct Held {
    /// The job.
    pub job: JobId,
    /// Its tenant.
    pub tenant: TenantId,
    /// The worker.
    pub owner: WorkerId,
    /// The generation of the claim.
    pub generation: Generation,
    commits: Arc<AtomicI64>,
}

impl Held {
    /// A claim whose first commit has the number 1.
    #[must_use]
    pub fn new(job: JobId, tenant: TenantId, owner: WorkerId, generation: Generation) -> Self {
        Self { job, tenant, owner, generation, commits: Arc::default() }
    }
}

/// The next commit of a claim, still empty.
#[must_use]
pub fn commit(held: &Held) -> CommitBuilder {
    let no = held.commits.fetch_add(1, Ordering::SeqCst) + 1;
    CommitBuilder(Commit {
        job: held.job,
        tenant: held.tenant.clone(),
        owner: held.owner,
        generation: held.generation,
        commit_no: CommitNo::new(no),
        lease_for: LEASE,
        started: false,
        items_started: 0,
        holds: Vec::new(),
        hold_ends: Vec::new(),
        checkpoints: Vec::new(),
        progress: None,
        notes: Vec::new(),
        end: None,
    })
}

/// A commit in the making.
#[derive(Debug, Clone)]
pub struct CommitBuilder(pub Commit);

impl From<CommitBuilder> for Commit {
    fn from(builder: CommitBuilder) -> Self {
        builder.0
    }
}

impl CommitBuilder {
    /// The workload starts.
    #[must_use]
    pub const fn start(mut self) -> Self {
        self.0.started = true;
        self
    }

    /// So many items start.
    #[must_use]
    pub const fn items(mut self, items: u32) -> Self {
        self.0.items_started = items;
        self
    }

    /// Opens a hold.
    #[must_use]
    pub fn hold(mut self, hold: &NewHold) -> Self {
        self.0.holds.push(hold.clone());
        self
    }

    /// Ends a hold.
    #[must_use]
    pub fn end_hold(mut self, id: HoldId, outcome: HoldOutcome) -> Self {
        self.0.hold_ends.push(HoldEnd { id, outcome });
        self
    }

    /// Settles a hold with a usable answer, see [`settled`].
    #[must_use]
    pub fn settle(self, id: HoldId, usd: &str) -> Self {
        self.end_hold(id, settled(usd))
    }

    /// Stores the small result of an item of the stage `generate`.
    #[must_use]
    pub fn checkpoint(self, item: &str) -> Self {
        self.checkpoint_at(key("generate", item), Stored::Inline(b"a result".to_vec()))
    }

    /// Stores a result.
    #[must_use]
    pub fn checkpoint_at(mut self, key: CheckpointKey, result: Stored) -> Self {
        self.0.checkpoints.push(Checkpoint { key, result });
        self
    }

    /// Tells something.
    #[must_use]
    pub fn note(mut self, name: &str, detail: &[(&str, &str)]) -> Self {
        let detail = detail.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        self.0.notes.push(Note { name: name.to_owned(), detail: detail.collect() });
        self
    }

    /// Ends the claim.
    #[must_use]
    pub fn end(mut self, end: End) -> Self {
        self.0.end = Some(end);
        self
    }

    /// Ends it well, with nothing produced.
    #[must_use]
    pub fn succeed(self) -> Self {
        self.end(End::Succeeded(Manifest::default()))
    }

    /// Ends it for good.
    #[must_use]
    pub fn fail(self) -> Self {
        self.end(End::Failed(Failed::new(ErrorCode::PERMANENT, "the source is missing")))
    }

    /// Ends it until a later try.
    #[must_use]
    pub fn retry_after(self, wait: Duration) -> Self {
        let failed = Failed::new(ErrorCode::TRANSIENT, "the provider is busy");
        self.end(End::Retryable { failed, wait })
    }

    /// Gives it back at once, without a drain as the reason.
    #[must_use]
    pub fn hand_back(self) -> Self {
        self.end(End::HandedBack { wait: Duration::ZERO, interrupted: false })
    }

    /// Moves on to `pausing`, because the budget is used up.
    #[must_use]
    pub fn out_of_budget(self) -> Self {
        let failed = Failed::new(ErrorCode::BUDGET_EXHAUSTED, "the limit on cost is used up");
        self.end(End::BudgetExhausted(failed))
    }

    /// Ends it as a pause or cancel demands.
    #[must_use]
    pub fn flush(self) -> Self {
        self.end(End::Flushed)
    }

    /// The commit.
    #[must_use]
    pub fn build(self) -> Commit {
        self.0
    }
}
