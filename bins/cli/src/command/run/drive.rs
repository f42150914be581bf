//! Driving the job, with an ear for signals.

use std::time::Duration;

use koinon::Koinon;
use koinon::domain::JobId;
use koinon::runner::{Driven, Trouble, Worker};
use koinon::store::JobStatus;

use crate::console::Console;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::job_ref::JobRef;
use crate::kinds;
use crate::progress::Bar;
use crate::signals::Signals;

/// How much longer than its times to drain and to flush a drain is waited for.
const GRACE: Duration = Duration::from_millis(1_500);

/// How the drive came to its end.
#[derive(Debug)]
pub(super) enum Ending {
    /// The job has ended, or stands still.
    Ended(Box<JobStatus>),
    /// This process was told to stop.
    Interrupted(Box<JobStatus>),
    /// What the job came to could not be written down.
    Trouble(Box<JobStatus>, Trouble),
}

/// What a run has done itself.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Done {
    pub(super) calls: u64,
    pub(super) replayed: u64,
}

/// Drives jobs in this process; its worker starts when it is needed.
#[derive(Debug)]
pub(super) struct Driver<'k> {
    pub(super) koinon: &'k Koinon,
    pub(super) console: Console,
    signals: Signals,
    pub(super) done: Done,
}

impl<'k> Driver<'k> {
    pub(super) fn new(koinon: &'k Koinon, console: Console, signals: Signals) -> Self {
        Self { koinon, console, signals, done: Done::default() }
    }

    /// Drives a job until it has ended or stands still, or a signal comes.
    pub(super) async fn drive(&mut self, job: JobId) -> Result<Ending, Fault> {
        let koinon = self.koinon;
        let worker = koinon.worker(kinds::queues()?);
        let mut bar = Bar::new();
        let driven = tokio::select! {
            driven = worker.drive(koinon.tenant(), job) => Some(driven),
            () = bar.follow(koinon, job) => None,
            () = self.signals.next() => None,
        };
        drop(bar);
        if driven.is_none() {
            let drain_for = koinon.settings().operations.drain_for;
            self.console.remark(format!(
                "stopping: what runs has {drain_for:?} to end, then it is handed back; Ctrl-C again ends at once"
            ));
        }
        self.drain(&worker).await?;
        self.done.calls += worker.tally().calls();
        self.done.replayed += worker.tally().replayed();
        match driven.transpose()? {
            Some(Driven::Ended(job)) => Ok(Ending::Ended(job)),
            Some(Driven::Trouble(trouble)) => {
                Ok(Ending::Trouble(Box::new(JobRef::Id(job).find(koinon).await?), trouble))
            }
            Some(Driven::NotFound) => Err(Fault::not_found(format!("there is no job {job}"))),
            Some(Driven::Stopped(_)) | None => {
                let job = JobRef::Id(job).find(koinon).await?;
                Ok(match Exit::of(job.run.state) {
                    // It came to its end while the worker drained.
                    Some(_) => Ending::Ended(Box::new(job)),
                    None => Ending::Interrupted(Box::new(job)),
                })
            }
        }
    }

    /// Ends the worker. A second signal, and a drain that does not end, leave the rest to recovery.
    async fn drain(&mut self, worker: &Worker) -> Result<(), Fault> {
        let operations = &self.koinon.settings().operations;
        let patience = operations.drain_for + operations.flush_for + GRACE;
        tokio::select! {
            _drained = tokio::time::timeout(patience, worker.drain()) => Ok(()),
            () = self.signals.next() => {
                let fault = Fault::interrupted("ended at once, by a second signal");
                Err(fault.help("run the same command again: it goes on when the lease has expired"))
            }
        }
    }
}
