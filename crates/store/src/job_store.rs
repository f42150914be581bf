//! The port for submitting, reading and steering jobs.

use std::fmt::Debug;

use async_trait::async_trait;
use koinon_budget::Limits;
use koinon_domain::{
    Authority, Control, ControlRefusal, Digest, Event, EventSeq, JobId, Kind, Priority, ProjectId,
    QueueName, StageName, State, TenantId,
};

use crate::{Error, JobCursor, JobFilter, JobStatus, Listed, StoredCheckpoint};

/// A job to be submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    /// The id that it gets if it is new.
    pub id: JobId,
    /// Who owns it.
    pub tenant: TenantId,
    /// The tenant's own grouping.
    pub project: ProjectId,
    /// Which workload runs it.
    pub kind: Kind,
    /// Where it waits.
    pub queue: QueueName,
    /// What makes two submissions of a tenant the same job.
    pub identity: Digest,
    /// How urgent it is.
    pub priority: Priority,
    /// The workload's input, as JSON.
    pub payload: Vec<u8>,
    /// On whose behalf it runs.
    pub authority: Option<Authority>,
    /// What it may spend.
    pub limits: Limits,
    /// How many claims may be charged; at least 1.
    pub max_attempts: u32,
}

/// What a submission does when a job of the same identity exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IfExists {
    /// Return that job.
    Return,
    /// Submit a new one if that job was cancelled, else return it.
    ReplaceCancelled,
}

/// One submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// The job.
    pub job: NewJob,
    /// What to do when it exists.
    pub if_exists: IfExists,
}

/// What became of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Submitted {
    /// A new job.
    Created(JobId),
    /// The newest job of the same identity.
    Existing(JobId),
}

impl Submitted {
    /// The job, new or not.
    #[must_use]
    pub const fn job(self) -> JobId {
        match self {
            Self::Created(job) | Self::Existing(job) => job,
        }
    }
}

/// A request to steer a job, or to change what it may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ControlRequest {
    /// Change its state.
    State(Control),
    /// Set the limits that are given; those that are `None` stay. Lowering only refuses new holds.
    SetLimits(Limits),
    /// Raise the limits that are given and higher than the present ones.
    RaiseLimits(Limits),
}

/// What a request to steer a job came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ControlAnswer {
    /// The job is of this state now, whether something was written or not.
    Done(Controlled),
    /// The job's state does not allow it.
    Refused(ControlRefusal),
    /// The tenant has no such job.
    NotFound,
}

/// The state that a request left the job in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Controlled {
    /// The state now.
    pub state: State,
    /// Whether the request changed anything.
    pub changed: bool,
}

/// Submitting, reading and steering jobs.
///
/// Every method is cancel safe: a write that was begun either happens completely or not at all.
/// Errors are those of [`Error`]; none means that nothing was written, except
/// [`Error::Unavailable`], after which a write may have happened and may be asked for again.
#[async_trait]
pub trait JobStore: Debug + Send + Sync {
    /// Submits jobs in one transaction; the answers are in the order of the submissions.
    async fn submit(&self, jobs: Vec<Submission>) -> Result<Vec<Submitted>, Error>;

    /// A job of the tenant.
    async fn job(&self, tenant: &TenantId, job: JobId) -> Result<Option<JobStatus>, Error>;

    /// A page of the tenant's jobs, newest first. A job that cannot be read is named.
    async fn jobs(
        &self,
        tenant: &TenantId,
        filter: &JobFilter,
        after: Option<JobCursor>,
        limit: u32,
    ) -> Result<Vec<Listed>, Error>;

    /// A page of a job's history, oldest first.
    async fn events(
        &self,
        tenant: &TenantId,
        job: JobId,
        after: EventSeq,
        limit: u32,
    ) -> Result<Vec<Event>, Error>;

    /// The stored results of a stage, in no certain order.
    async fn checkpoints(
        &self,
        job: JobId,
        stage: &StageName,
    ) -> Result<Vec<StoredCheckpoint>, Error>;

    /// Steers a job.
    async fn control(
        &self,
        tenant: &TenantId,
        job: JobId,
        request: ControlRequest,
    ) -> Result<ControlAnswer, Error>;
}
