//! A store that fails as planned.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use koinon_budget::Profile;
use koinon_domain::{
    DatabaseId, Event, EventSeq, Generation, JobId, QueueName, ScheduleName, StageName, TenantId,
    Timestamp, WorkerId,
};
use koinon_store::{
    Added, Beat, CallRecord, ClaimRequest, Claimed, Commit, ControlAnswer, ControlRequest, Entry,
    Error, Fenced, FiredAll, HeartbeatRequest, Hints, InDoubt, JobCursor, JobFilter, JobStatus,
    JobStore, LeaseStore, LedgerStore, Listed, Loaded, NamesAfter, NamesPage, NewSchedule, Old,
    OldCursor, OldPage, Peek, PeekRequest, Pruned, QueueBacklog, QueueStore, ReconcileAnswer,
    ReconcileRequest, RecoverRequest, Recovered, RetentionStore, Running, RunningLimits, Schedule,
    ScheduleControl, ScheduleStore, SeenWorker, Signal, StoredCheckpoint, Submission, Submitted,
    WorkerCard, WorkerStore,
};

use super::plan::{Fault, Plan, Verb};
use crate::Stores;

/// Wraps a store and lets calls fail as planned, before or after they take effect.
#[derive(Debug)]
pub struct FaultStore {
    inner: Stores,
    plan: Mutex<Plan>,
    hints_are_lost: AtomicBool,
}

impl FaultStore {
    /// A store that fails nothing yet.
    #[must_use]
    pub fn new(inner: Stores) -> Self {
        Self { inner, plan: Mutex::default(), hints_are_lost: AtomicBool::new(false) }
    }

    /// Lets the `nth` call of the verb from now on fail; the next one is 1.
    pub fn fail(&self, verb: Verb, nth: u64, fault: Fault) {
        self.plan.lock().unwrap().nth(verb, nth, fault);
    }

    /// Lets every `k`th call of the verb fail, counted from the first ever.
    pub fn fail_every(&self, verb: Verb, k: u64, fault: Fault) {
        self.plan.lock().unwrap().every(verb, k, fault);
    }

    /// Loses every hint, for those who listen from now on.
    pub fn lose_hints(&self) {
        self.hints_are_lost.store(true, Ordering::Release);
    }

    /// Forgets every fault that has not happened.
    pub fn heal(&self) {
        self.plan.lock().unwrap().clear();
    }

    /// How often a verb was called, failed calls included.
    #[must_use]
    pub fn calls_of(&self, verb: Verb) -> u64 {
        self.plan.lock().unwrap().count(verb)
    }

    async fn through<T: Send>(
        &self,
        verb: Verb,
        call: impl Future<Output = Result<T, Error>> + Send,
    ) -> Result<T, Error> {
        let fault = self.plan.lock().unwrap().next(verb);
        match fault {
            None => call.await,
            Some(Fault::Before) => Err(unavailable(verb)),
            Some(Fault::Slow(late)) => {
                let answer = call.await;
                tokio::time::sleep(late).await;
                answer
            }
            Some(Fault::After) => {
                call.await?;
                Err(unavailable(verb))
            }
        }
    }
}

/// What a caller sees as the source of a planned failure.
#[derive(Debug, thiserror::Error)]
#[error("the test lets {0:?} fail")]
struct Planned(Verb);

fn unavailable(verb: Verb) -> Error {
    Error::Unavailable(Planned(verb).into())
}

/// Whether an error is one that a fault store was told to answer with.
pub(crate) fn is_planned(error: &Error) -> bool {
    matches!(error, Error::Unavailable(source) if source.is::<Planned>())
}

#[async_trait]
impl JobStore for FaultStore {
    async fn submit(&self, jobs: Vec<Submission>) -> Result<Vec<Submitted>, Error> {
        self.through(Verb::Submit, self.inner.jobs.submit(jobs)).await
    }

    async fn job(&self, tenant: &TenantId, job: JobId) -> Result<Option<JobStatus>, Error> {
        self.through(Verb::Job, self.inner.jobs.job(tenant, job)).await
    }

    async fn jobs(
        &self,
        tenant: &TenantId,
        filter: &JobFilter,
        after: Option<JobCursor>,
        limit: u32,
    ) -> Result<Vec<Listed>, Error> {
        self.through(Verb::Jobs, self.inner.jobs.jobs(tenant, filter, after, limit)).await
    }

    async fn events(
        &self,
        tenant: &TenantId,
        job: JobId,
        after: EventSeq,
        limit: u32,
    ) -> Result<Vec<Event>, Error> {
        self.through(Verb::Events, self.inner.jobs.events(tenant, job, after, limit)).await
    }

    async fn checkpoints(
        &self,
        job: JobId,
        stage: &StageName,
    ) -> Result<Vec<StoredCheckpoint>, Error> {
        self.through(Verb::Checkpoints, self.inner.jobs.checkpoints(job, stage)).await
    }

    async fn control(
        &self,
        tenant: &TenantId,
        job: JobId,
        request: ControlRequest,
    ) -> Result<ControlAnswer, Error> {
        self.through(Verb::Control, self.inner.jobs.control(tenant, job, request)).await
    }
}

#[async_trait]
impl LeaseStore for FaultStore {
    async fn peek(&self, request: &PeekRequest) -> Result<Peek, Error> {
        self.through(Verb::Peek, self.inner.leases.peek(request)).await
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claimed>, Error> {
        self.through(Verb::Claim, self.inner.leases.claim(request)).await
    }

    async fn take(&self, request: &ClaimRequest) -> Result<Vec<(Claimed, Loaded)>, Error> {
        self.through(Verb::Claim, self.inner.leases.take(request)).await
    }

    async fn load(&self, claimed: &[Claimed]) -> Result<Vec<Loaded>, Error> {
        self.through(Verb::Load, self.inner.leases.load(claimed)).await
    }

    async fn heartbeat(
        &self,
        request: &HeartbeatRequest,
    ) -> Result<Vec<(JobId, Generation, Beat)>, Error> {
        self.through(Verb::Heartbeat, self.inner.leases.heartbeat(request)).await
    }

    async fn commit(&self, commit: Commit) -> Result<Fenced<Signal>, Error> {
        self.through(Verb::Commit, self.inner.leases.commit(commit)).await
    }

    async fn recover(&self, request: &RecoverRequest) -> Result<Recovered, Error> {
        self.through(Verb::Recover, self.inner.leases.recover(request)).await
    }

    fn hints(&self) -> Hints {
        if self.hints_are_lost.load(Ordering::Acquire) {
            return Hints::none();
        }
        self.inner.leases.hints()
    }
}

#[async_trait]
impl LedgerStore for FaultStore {
    async fn entries(
        &self,
        tenant: &TenantId,
        job: JobId,
        skip: u64,
        limit: u32,
    ) -> Result<Vec<Entry>, Error> {
        self.through(Verb::Entries, self.inner.ledger.entries(tenant, job, skip, limit)).await
    }

    async fn calls(&self, job: JobId, stage: &StageName) -> Result<Vec<CallRecord>, Error> {
        self.through(Verb::Calls, self.inner.ledger.calls(job, stage)).await
    }

    async fn in_doubt(
        &self,
        tenant: &TenantId,
        job: Option<JobId>,
        limit: u32,
    ) -> Result<Vec<InDoubt>, Error> {
        self.through(Verb::InDoubt, self.inner.ledger.in_doubt(tenant, job, limit)).await
    }

    async fn reconcile(&self, request: ReconcileRequest) -> Result<ReconcileAnswer, Error> {
        self.through(Verb::Reconcile, self.inner.ledger.reconcile(request)).await
    }

    async fn keep_profile(&self, profile: &Profile) -> Result<(), Error> {
        self.through(Verb::KeepProfile, self.inner.ledger.keep_profile(profile)).await
    }
}

#[async_trait]
impl QueueStore for FaultStore {
    async fn backlog(
        &self,
        queues: &[(QueueName, RunningLimits)],
    ) -> Result<Vec<QueueBacklog>, Error> {
        self.through(Verb::Backlog, self.inner.queues.backlog(queues)).await
    }

    async fn running(&self, queue: &QueueName) -> Result<Running, Error> {
        self.through(Verb::Backlog, self.inner.queues.running(queue)).await
    }

    async fn pause(&self, queue: &QueueName) -> Result<bool, Error> {
        self.through(Verb::PauseQueue, self.inner.queues.pause(queue)).await
    }

    async fn resume(&self, queue: &QueueName) -> Result<bool, Error> {
        self.through(Verb::PauseQueue, self.inner.queues.resume(queue)).await
    }
}

#[async_trait]
impl WorkerStore for FaultStore {
    async fn seen(&self, card: &WorkerCard) -> Result<(), Error> {
        self.through(Verb::NoteWorker, self.inner.workers.seen(card)).await
    }

    async fn gone(&self, worker: WorkerId) -> Result<(), Error> {
        self.through(Verb::NoteWorker, self.inner.workers.gone(worker)).await
    }

    async fn workers(&self, within: Duration) -> Result<Vec<SeenWorker>, Error> {
        self.through(Verb::Workers, self.inner.workers.workers(within)).await
    }
}

#[async_trait]
impl ScheduleStore for FaultStore {
    async fn add_schedule(&self, new: NewSchedule) -> Result<Added, Error> {
        self.through(Verb::AddSchedule, self.inner.schedules.add_schedule(new)).await
    }

    async fn schedule(
        &self,
        tenant: &TenantId,
        name: &ScheduleName,
    ) -> Result<Option<Schedule>, Error> {
        self.through(Verb::Schedule, self.inner.schedules.schedule(tenant, name)).await
    }

    async fn schedules(
        &self,
        tenant: &TenantId,
        after: Option<&ScheduleName>,
        limit: u32,
    ) -> Result<Vec<Result<Schedule, Error>>, Error> {
        self.through(Verb::Schedules, self.inner.schedules.schedules(tenant, after, limit)).await
    }

    async fn control_schedule(
        &self,
        tenant: &TenantId,
        name: &ScheduleName,
        request: ScheduleControl,
    ) -> Result<Option<Schedule>, Error> {
        let call = self.inner.schedules.control_schedule(tenant, name, request);
        self.through(Verb::ControlSchedule, call).await
    }

    async fn remove_schedule(&self, tenant: &TenantId, name: &ScheduleName) -> Result<bool, Error> {
        self.through(Verb::RemoveSchedule, self.inner.schedules.remove_schedule(tenant, name)).await
    }

    async fn fire_schedules(&self, limit: u32) -> Result<FiredAll, Error> {
        self.through(Verb::FireSchedules, self.inner.schedules.fire_schedules(limit)).await
    }
}

#[async_trait]
impl RetentionStore for FaultStore {
    async fn database_id(&self) -> Result<DatabaseId, Error> {
        self.through(Verb::DatabaseId, self.inner.retention.database_id()).await
    }

    async fn ended_queues(&self) -> Result<Vec<QueueName>, Error> {
        self.through(Verb::EndedQueues, self.inner.retention.ended_queues()).await
    }

    async fn old_jobs(
        &self,
        old: &Old,
        after: Option<OldCursor>,
        limit: u32,
    ) -> Result<OldPage, Error> {
        self.through(Verb::OldJobs, self.inner.retention.old_jobs(old, after, limit)).await
    }

    async fn prune_jobs(&self, old: &Old, limit: u32) -> Result<Pruned, Error> {
        self.through(Verb::PruneJobs, self.inner.retention.prune_jobs(old, limit)).await
    }

    async fn take_turn(&self, name: &'static str, every: Duration) -> Result<bool, Error> {
        self.through(Verb::TakeTurn, self.inner.retention.take_turn(name, every)).await
    }

    async fn held_since(&self) -> Result<Timestamp, Error> {
        self.through(Verb::HeldSince, self.inner.retention.held_since()).await
    }

    async fn blob_names(&self, after: &NamesAfter, limit: u32) -> Result<NamesPage, Error> {
        self.through(Verb::BlobNames, self.inner.retention.blob_names(after, limit)).await
    }
}
