//! Submitting jobs on behalf of whoever owns this program.

use koinon_budget::{Limits, NanoUsd};
use koinon_domain::{Digest, JobId, Kind, Priority, ProjectId, QueueName};
use koinon_runner::Workload;
use koinon_store::{IfExists, NewJob, Submission, Submitted};
use serde::Serialize;

use crate::{Error, Koinon, Sources, identity};

/// The project of jobs whose submitter names none.
const PROJECT: &str = "default";

/// A job to be submitted for the local tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submit {
    /// Which workload runs it.
    pub kind: Kind,
    /// Where it waits; the queue of its workload unless it is set, and the one of the kind's name if this
    /// program has no such workload.
    pub queue: Option<QueueName>,
    /// The grouping that it belongs to.
    pub project: ProjectId,
    /// What makes two submissions the same job; see [`identity`](crate::identity).
    pub identity: Digest,
    /// The workload's input, as JSON.
    pub payload: Vec<u8>,
    /// What it may spend.
    pub limits: Limits,
    /// How urgent it is.
    pub priority: Priority,
    /// What happens when the job exists.
    pub if_exists: IfExists,
}

impl Submit {
    /// A job in its workload's queue, without limits, of the lowest priority. One of the same identity is
    /// returned instead if it exists.
    #[must_use]
    pub fn new(
        kind: Kind,
        project: ProjectId,
        identity: Digest,
        payload: impl Into<Vec<u8>>,
    ) -> Self {
        Self {
            kind,
            queue: None,
            project,
            identity,
            payload: payload.into(),
            limits: Limits::default(),
            priority: Priority::default(),
            if_exists: IfExists::Return,
        }
    }

    /// A job of this workload in the project `default`, as [`new`](Self::new) makes it. `key` is what
    /// makes two submissions the same job, together with the kind.
    ///
    /// # Errors
    ///
    /// [`Error::Name`] if the kind is no name, [`Error::Input`] if the input cannot be written as JSON.
    pub fn of<W: Workload>(key: &str, input: &impl Serialize) -> Result<Self, Error> {
        let kind = Kind::try_new(W::KIND)?;
        let project = ProjectId::try_new(PROJECT)?;
        let identity = identity(&kind, &project, &[], Sources::Key(key));
        let payload =
            serde_json::to_vec(input).map_err(|source| Error::Input { kind: W::KIND, source })?;
        Ok(Self::new(kind, project, identity, payload))
    }

    /// The same with this budget; what else limits it stays.
    #[must_use]
    pub const fn budget(mut self, cost: NanoUsd) -> Self {
        self.limits.cost = Some(cost);
        self
    }
}

impl Koinon {
    /// Submits a job, or finds the one of the same identity. The prices that this program knows are kept
    /// for the record first, since the job's ledger will name them.
    ///
    /// # Errors
    ///
    /// [`Error::Store`]; [`koinon_store::Error::Invalid`] in it if a price profile of the same id and
    /// other prices is on record.
    ///
    /// # Cancel safety
    ///
    /// The job is submitted completely or not at all; the same call again finds it.
    pub async fn submit(&self, new: Submit) -> Result<Submitted, Error> {
        let queue = self.queue_of(&new)?;
        let jobs = self.jobs_of(&queue).await?;
        let job = NewJob {
            id: JobId::from_uuid(self.clock().uuid()),
            tenant: self.tenant().clone(),
            authority: Some(self.local_authority(new.project.clone())),
            project: new.project,
            kind: new.kind,
            queue,
            identity: new.identity,
            priority: new.priority,
            payload: new.payload,
            limits: new.limits,
            max_attempts: self.settings().operations.max_attempts,
        };
        let submission = Submission { job, if_exists: new.if_exists };
        let submitted = jobs.submit(vec![submission]).await?.pop();
        let missing =
            || koinon_store::Error::Corrupt { what: "no answer to a submission".to_owned() };
        Ok(submitted.ok_or_else(missing)?)
    }

    /// The queue that a job is submitted to.
    pub(crate) fn queue_of(&self, new: &Submit) -> Result<QueueName, Error> {
        match &new.queue {
            Some(queue) => Ok(queue.clone()),
            None => {
                let kind = new.kind.as_str();
                Ok(QueueName::try_new(self.workloads().queue(kind).unwrap_or(kind))?)
            }
        }
    }
}
