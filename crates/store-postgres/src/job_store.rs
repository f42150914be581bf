//! The port for submitting, reading and steering jobs.

use async_trait::async_trait;
use koinon_domain::{Event, EventSeq, JobId, StageName, TenantId};
use koinon_store::{
    ControlAnswer, ControlRequest, Error, Hint, JobCursor, JobFilter, JobStatus, JobStore, Listed,
    StoredCheckpoint, Submission, Submitted, decide,
};

use crate::write::{self, Steer};
use crate::{PostgresStore, read};

#[async_trait]
impl JobStore for PostgresStore {
    async fn submit(&self, jobs: Vec<Submission>) -> Result<Vec<Submitted>, Error> {
        decide::check(&jobs)?;
        let answers = self.submissions().ask(jobs).await?;
        self.hinting().give(Hint::of_submitted(&answers));
        Ok(answers)
    }

    async fn job(&self, tenant: &TenantId, job: JobId) -> Result<Option<JobStatus>, Error> {
        read::job(self, tenant, job).await
    }

    async fn jobs(
        &self,
        tenant: &TenantId,
        filter: &JobFilter,
        after: Option<JobCursor>,
        limit: u32,
    ) -> Result<Vec<Listed>, Error> {
        read::jobs(self, tenant, filter, after, limit).await
    }

    async fn events(
        &self,
        tenant: &TenantId,
        job: JobId,
        after: EventSeq,
        limit: u32,
    ) -> Result<Vec<Event>, Error> {
        read::events(self, tenant, job, after, limit).await
    }

    async fn checkpoints(
        &self,
        job: JobId,
        stage: &StageName,
    ) -> Result<Vec<StoredCheckpoint>, Error> {
        read::checkpoints(self, job, stage).await
    }

    async fn control(
        &self,
        tenant: &TenantId,
        job: JobId,
        request: ControlRequest,
    ) -> Result<ControlAnswer, Error> {
        let steer = Steer { tenant: tenant.clone(), job, request };
        let answer = write::control(self.shared(), &steer).await?;
        self.hinting().give(Hint::of_control(&answer));
        Ok(answer)
    }
}
