//! The port for reading the ledger and for learning late what a call cost.

use std::fmt::Debug;

use async_trait::async_trait;
use koinon_budget::{Amounts, Profile, Usage};
use koinon_domain::{HoldId, JobId, StageName, TenantId};

use crate::{CallRef, Entry, Error, Hold, Stored};

/// What the ledger knows about one call of a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRecord {
    /// The call.
    pub call: CallRef,
    /// The answer that serves replay, where there is one.
    pub answer: Option<Stored>,
    /// Whether an answer was rejected under this very `retry`.
    pub rejected: bool,
    /// Whether a request of this call is in doubt.
    pub in_doubt: bool,
}

/// A hold in doubt, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InDoubt {
    /// The job.
    pub job: JobId,
    /// The hold.
    pub hold: Hold,
}

/// What an in-doubt call turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It was charged.
    Charged {
        /// What it cost.
        cost: Amounts,
        /// The tokens, where they are known.
        usage: Option<Usage>,
        /// The answer, where it came after all; it serves replay if the call has no other.
        answer: Option<Stored>,
    },
    /// It was not charged.
    Nothing,
}

/// Ends an in-doubt hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReconcileRequest {
    /// The tenant of the job.
    pub tenant: TenantId,
    /// The hold.
    pub hold: HoldId,
    /// What its call turned out to be.
    pub outcome: Outcome,
}

/// What a reconciliation came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReconcileAnswer {
    /// Written.
    Reconciled(JobId),
    /// The hold is open or has ended.
    NotInDoubt,
    /// The tenant has no such hold.
    NotFound,
}

/// Reading the ledger, and writing to it what is learnt outside of a claim.
#[async_trait]
pub trait LedgerStore: Debug + Send + Sync {
    /// A page of a job's entries in the order in which they were written; `skip` of them first.
    async fn entries(
        &self,
        tenant: &TenantId,
        job: JobId,
        skip: u64,
        limit: u32,
    ) -> Result<Vec<Entry>, Error>;

    /// What the ledger knows about the calls of a stage.
    async fn calls(&self, job: JobId, stage: &StageName) -> Result<Vec<CallRecord>, Error>;

    /// The tenant's holds in doubt, of one job or of all.
    async fn in_doubt(
        &self,
        tenant: &TenantId,
        job: Option<JobId>,
        limit: u32,
    ) -> Result<Vec<InDoubt>, Error>;

    /// Ends an in-doubt hold, once. Fenced by the hold's own id and state, not by a lease.
    async fn reconcile(&self, request: ReconcileRequest) -> Result<ReconcileAnswer, Error>;

    /// Keeps a price profile for the record. A profile of the same id with other prices is
    /// [`Error::Invalid`]: profiles are immutable.
    async fn keep_profile(&self, profile: &Profile) -> Result<(), Error>;
}
