//! What a job was asked to do, and how it stands.

use koinon_budget::Limits;
use koinon_domain::{
    Authority, Digest, JobId, Kind, Priority, ProjectId, QueueName, State, TenantId, Timestamp,
};

use crate::Run;

/// What was asked for; never changes after the submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobSpec {
    /// The job.
    pub id: JobId,
    /// Who owns it.
    pub tenant: TenantId,
    /// The tenant's own grouping.
    pub project: ProjectId,
    /// Which workload runs it.
    pub kind: Kind,
    /// Where it waits.
    pub queue: QueueName,
    /// What makes two submissions the same job.
    pub identity: Digest,
    /// How urgent it is.
    pub priority: Priority,
    /// The workload's input, as JSON.
    pub payload: Vec<u8>,
    /// On whose behalf it runs; `None` if nobody could be proven.
    pub authority: Option<Authority>,
    /// The limits that it was submitted with; [`Run::limits`] has the present ones.
    pub limits: Limits,
    /// How many claims may be charged.
    pub max_attempts: u32,
    /// When it was submitted, by the database's clock.
    pub submitted_at: Timestamp,
}

/// A job as clients see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobStatus {
    /// What was asked for.
    pub spec: JobSpec,
    /// How it stands.
    pub run: Run,
}

/// A job on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listed {
    /// It can be read.
    Job(Box<JobStatus>),
    /// Its rows cannot be read, which is no reason to hide the others.
    Unreadable {
        /// The job.
        id: JobId,
        /// When it was submitted.
        submitted_at: Timestamp,
        /// What cannot be read, and why.
        what: String,
    },
}

impl Listed {
    /// The job.
    #[must_use]
    pub fn id(&self) -> JobId {
        self.cursor().id
    }

    /// Where the page behind it begins.
    #[must_use]
    pub fn cursor(&self) -> JobCursor {
        match self {
            Self::Job(job) => JobCursor { submitted_at: job.spec.submitted_at, id: job.spec.id },
            Self::Unreadable { id, submitted_at, .. } => {
                JobCursor { submitted_at: *submitted_at, id: *id }
            }
        }
    }

    /// How it stands, if that can be read.
    #[must_use]
    pub fn readable(&self) -> Option<&JobStatus> {
        match self {
            Self::Job(job) => Some(job),
            Self::Unreadable { .. } => None,
        }
    }
}

/// The immutable list of a job's output artifacts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manifest {
    /// The artifacts in their order.
    pub artifacts: Vec<Artifact>,
    /// What else the workload says about its result, as JSON.
    pub summary: Vec<u8>,
}

/// One output artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// Its file name.
    pub name: String,
    /// Its media type.
    pub media_type: String,
    /// Its size.
    pub size_bytes: u64,
    /// Its name in the artifact store.
    pub digest: Digest,
}

/// Which jobs to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JobFilter {
    /// Only of this project.
    pub project: Option<ProjectId>,
    /// Only of this kind.
    pub kind: Option<Kind>,
    /// Only in this state.
    pub state: Option<State>,
}

/// Where a page of jobs begins: after this one, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobCursor {
    /// The instant of the last job that was seen.
    pub submitted_at: Timestamp,
    /// Its id.
    pub id: JobId,
}
