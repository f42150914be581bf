//! Driving one job to its end in this process.

use std::sync::Arc;

use koinon_domain::{JobId, QueueName, State, TenantId};
use koinon_store::{JobStatus, Scope};

use super::{Core, Seat, Trouble, Turn, Worker};

/// How far a job was driven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Driven {
    /// It has ended, or stands still until somebody resumes it.
    Ended(Box<JobStatus>),
    /// The worker was told to stop first.
    Stopped(Box<JobStatus>),
    /// A claim could not be settled, so going on makes no sense before that is mended.
    Trouble(Trouble),
    /// There is no such job.
    NotFound,
}

impl Worker {
    /// Drives one job until it has ended or pauses, or the worker is told to stop. While another worker
    /// holds the job, this one follows it; when that one's lease has expired, this one takes over.
    ///
    /// # Errors
    ///
    /// A failure of the store that waiting does not cure.
    pub async fn drive(
        &self,
        tenant: &TenantId,
        job: JobId,
    ) -> Result<Driven, koinon_store::Error> {
        let core = &self.0;
        let mut peeked = core.peeked.subscribe();
        loop {
            let status = match core.services.jobs.job(tenant, job).await {
                Ok(Some(status)) => status,
                Ok(None) => return Ok(Driven::NotFound),
                Err(error) if error.is_transient() => {
                    tracing::warn!(%error, "the job could not be read");
                    tokio::time::sleep(core.config.tick).await;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let state = status.run.state;
            if state.is_terminal() || state == State::Paused {
                return Ok(Driven::Ended(Box::new(status)));
            }
            if let Some(trouble) = self.trouble() {
                return Ok(Driven::Trouble(trouble));
            }
            if core.stop.is_cancelled() {
                return Ok(Driven::Stopped(Box::new(status)));
            }
            if state == State::Queued && core.run_here(job, &status.run.queue).await? {
                continue;
            }
            tokio::select! {
                _changed = peeked.changed() => {}
                () = core.stop.cancelled() => {}
            }
        }
    }
}

impl Core {
    /// Claims the job and runs it to the end of the claim; `false` if it could not be claimed now.
    async fn run_here(
        self: &Arc<Self>,
        job: JobId,
        queue: &QueueName,
    ) -> Result<bool, koinon_store::Error> {
        let turn = self.bulkhead.try_acquire().map(Turn::alone);
        let seats = turn.map(Seat::Free).into_iter().collect();
        let begun = self.claim(queue, Scope::Job(job), seats).await?;
        if begun.is_empty() {
            return Ok(false);
        }
        for run in self.begin_each(begun) {
            if let Err(error) = self.tracker.spawn(run).await {
                tracing::error!(%job, %error, "the run did not end by itself");
            }
        }
        Ok(true)
    }
}
