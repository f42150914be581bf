//! What a promise of the suite works with: one fresh store, its clock, and short words for requests.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use koinon_budget::Limits;
use koinon_domain::{
    Control, Event, EventSeq, JobId, Kind, QueueName, StageName, State, TenantId, WorkerId,
};
use koinon_store::{
    CallRecord, ClaimRequest, Claimed, Clock as _, Commit, ControlAnswer, ControlRequest, Entry,
    Error, Fenced, JobStatus, NewHold, Peek, PeekRequest, RecoverRequest, Recovered, Refusal, Run,
    RunningLimits, Scope, Signal, StoredCheckpoint, Submitted,
};

use crate::{Harness, Held, JobBuilder, ManualClock, Stores, commit, hold, job, stage};

/// How long every lease of the suite lasts.
pub const LEASE: Duration = Duration::from_mins(1);

/// A fresh store and what one promise does with it.
pub struct Case {
    /// The time of the store.
    pub clock: Arc<ManualClock>,
    /// The store.
    pub stores: Stores,
    harness: Box<dyn Harness>,
    submitted: Mutex<Vec<(TenantId, JobId)>>,
    damaged: Mutex<Vec<JobId>>,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case").field("stores", &self.stores).finish_non_exhaustive()
    }
}

/// Every row of a job that the ports show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// What was asked for, and how it stands.
    pub status: JobStatus,
    /// Its history.
    pub events: Vec<Event>,
    /// Its ledger.
    pub entries: Vec<Entry>,
    /// The stored results of the stage `generate`, by their keys.
    pub checkpoints: Vec<StoredCheckpoint>,
    /// What the ledger knows about the calls of the stage `generate`, by call.
    pub calls: Vec<CallRecord>,
}

impl Snapshot {
    /// Reads every row of a job, in an order that is the same for every store.
    pub async fn of(stores: &Stores, tenant: &TenantId, job: JobId) -> Self {
        Self::find(stores, tenant, job).await.expect("the job exists")
    }

    /// The same of a job that may not exist.
    pub async fn find(stores: &Stores, tenant: &TenantId, job: JobId) -> Option<Self> {
        let Stores { jobs, ledger, .. } = stores;
        let generate = stage("generate");
        let status = jobs.job(tenant, job).await.unwrap()?;
        let mut checkpoints = jobs.checkpoints(job, &generate).await.unwrap();
        checkpoints.sort_by(|a, b| a.key.cmp(&b.key));
        let mut calls = ledger.calls(job, &generate).await.unwrap();
        calls.sort_by(|a, b| a.call.cmp(&b.call));
        Some(Self {
            status,
            events: jobs.events(tenant, job, EventSeq::ZERO, 10_000).await.unwrap(),
            entries: ledger.entries(tenant, job, 0, 10_000).await.unwrap(),
            checkpoints,
            calls,
        })
    }
}

impl Case {
    /// Opens a store.
    pub async fn open(harness: impl Harness + 'static) -> Self {
        let clock = Arc::new(ManualClock::new());
        let stores = harness.open(Arc::<ManualClock>::clone(&clock)).await;
        Self {
            clock,
            stores,
            harness: Box::new(harness),
            submitted: Mutex::default(),
            damaged: Mutex::default(),
        }
    }

    /// Holds every job that was submitted, and was not damaged, against the invariants.
    pub async fn check(&self) {
        let damaged = self.damaged.lock().unwrap().clone();
        let submitted = self.submitted.lock().unwrap().clone();
        for (tenant, job) in submitted {
            if !damaged.contains(&job) {
                crate::check_job(&self.stores, &tenant, job).await;
            }
        }
    }

    /// Checks a job at the end that was not submitted here.
    pub fn also_check(&self, tenant: TenantId, job: JobId) {
        self.submitted.lock().unwrap().push((tenant, job));
    }

    /// Leaves a job that is gone out of the final check.
    pub fn forget(&self, job: JobId) {
        self.damaged.lock().unwrap().push(job);
    }

    /// What a worker of the queue `report` sees.
    pub async fn peek(&self) -> Peek {
        let queues = vec![QueueName::try_new("report").unwrap()];
        self.stores.leases.peek(&PeekRequest { owner: self.worker(), queues }).await.unwrap()
    }

    /// A new worker.
    pub fn worker(&self) -> WorkerId {
        WorkerId::from_uuid(self.clock.uuid())
    }

    /// A hold for the call of `item`, see [`hold`].
    pub fn hold(&self, item: &str, usd: &str) -> NewHold {
        hold(&*self.clock, item, usd)
    }

    /// Submits a job that must be new.
    pub async fn submit(&self, job: JobBuilder) -> JobId {
        match self.submit_any(job).await {
            Submitted::Created(job) => job,
            Submitted::Existing(job) => panic!("{job} exists"),
        }
    }

    /// Submits a job that may exist.
    pub async fn submit_any(&self, job: JobBuilder) -> Submitted {
        self.submit_all(vec![job]).await[0]
    }

    /// Submits several jobs in one transaction.
    pub async fn submit_all(&self, jobs: Vec<JobBuilder>) -> Vec<Submitted> {
        let jobs: Vec<_> = jobs.into_iter().map(|job| job.build(&*self.clock)).collect();
        let tenants: Vec<_> = jobs.iter().map(|one| one.job.tenant.clone()).collect();
        let answers = self.stores.jobs.submit(jobs).await.unwrap();
        assert_eq!(answers.len(), tenants.len());
        for (tenant, answer) in tenants.into_iter().zip(&answers) {
            if let Submitted::Created(job) = answer {
                self.submitted.lock().unwrap().push((tenant, *job));
            }
        }
        answers
    }

    fn tenant_of(&self, job: JobId) -> TenantId {
        let submitted = self.submitted.lock().unwrap();
        let found = submitted.iter().find(|(_, id)| *id == job);
        found.expect("the job was submitted through this case").0.clone()
    }

    /// How a job stands.
    pub async fn status(&self, job: JobId) -> JobStatus {
        let status = self.stores.jobs.job(&self.tenant_of(job), job).await.unwrap();
        status.expect("the job exists")
    }

    /// The run of a job.
    pub async fn run(&self, job: JobId) -> Run {
        self.status(job).await.run
    }

    /// The state of a job.
    pub async fn state(&self, job: JobId) -> State {
        self.run(job).await.state
    }

    /// The history of a job.
    pub async fn events(&self, job: JobId) -> Vec<Event> {
        let tenant = self.tenant_of(job);
        self.stores.jobs.events(&tenant, job, EventSeq::ZERO, 10_000).await.unwrap()
    }

    /// The names of a job's events.
    pub async fn told(&self, job: JobId) -> Vec<String> {
        self.events(job).await.iter().map(|event| event.name.as_str().to_owned()).collect()
    }

    /// How many events of a name a job has.
    pub async fn count(&self, job: JobId, name: &str) -> usize {
        self.told(job).await.iter().filter(|told| *told == name).count()
    }

    /// The ledger of a job.
    pub async fn entries(&self, job: JobId) -> Vec<Entry> {
        self.stores.ledger.entries(&self.tenant_of(job), job, 0, 10_000).await.unwrap()
    }

    /// The stored results of a stage, by their keys.
    pub async fn checkpoints(&self, job: JobId, of: &StageName) -> Vec<StoredCheckpoint> {
        let mut found = self.stores.jobs.checkpoints(job, of).await.unwrap();
        found.sort_by(|a, b| a.key.cmp(&b.key));
        found
    }

    /// Every row of a job.
    pub async fn snapshot(&self, job: JobId) -> Snapshot {
        Snapshot::of(&self.stores, &self.tenant_of(job), job).await
    }

    /// Claims from the queue `report`.
    pub async fn claim(&self, owner: WorkerId, limit: u32) -> Vec<Claimed> {
        let scope = Scope::Queue(QueueName::try_new("report").unwrap());
        self.claim_scope(owner, scope, limit).await
    }

    /// Claims from a scope.
    pub async fn claim_scope(&self, owner: WorkerId, scope: Scope, limit: u32) -> Vec<Claimed> {
        self.claim_under(RunningLimits::NONE, owner, scope, limit).await
    }

    /// Claims from a scope of whose queue only so many jobs may run.
    pub async fn claim_under(
        &self,
        running: RunningLimits,
        owner: WorkerId,
        scope: Scope,
        limit: u32,
    ) -> Vec<Claimed> {
        let request =
            ClaimRequest { owner, scope, limit, running, lease_for: LEASE, starts: Vec::new() };
        self.stores.leases.claim(&request).await.unwrap()
    }

    /// Claims a job, that must be ready, for a new worker; it starts with that if its kind is `report`.
    pub async fn take_to_start(&self, job: JobId) -> Held {
        self.take_to_start_under(RunningLimits::NONE, job).await
    }

    /// The same of a queue of which only so many jobs may run.
    pub async fn take_to_start_under(&self, running: RunningLimits, job: JobId) -> Held {
        let request = ClaimRequest {
            owner: self.worker(),
            scope: Scope::Job(job),
            limit: 1,
            running,
            lease_for: LEASE,
            starts: vec![Kind::try_new("report").unwrap()],
        };
        let claimed = self.stores.leases.claim(&request).await.unwrap();
        assert_eq!(claimed.len(), 1, "{job} is not ready");
        Held::new(job, self.tenant_of(job), request.owner, claimed[0].generation)
    }

    /// Claims a job, that must be ready, for a new worker.
    pub async fn take(&self, job: JobId) -> Held {
        let owner = self.worker();
        let claimed = self.claim_scope(owner, Scope::Job(job), 1).await;
        assert_eq!(claimed.len(), 1, "{job} is not ready");
        Held::new(job, self.tenant_of(job), owner, claimed[0].generation)
    }

    /// Submits and claims a job.
    pub async fn leased(&self, job: JobBuilder) -> Held {
        let job = self.submit(job).await;
        self.take(job).await
    }

    /// Submits, claims and starts a job.
    pub async fn running(&self, job: JobBuilder) -> Held {
        let held = self.leased(job).await;
        self.applied(commit(&held).start()).await;
        held
    }

    /// Sends a commit.
    ///
    /// # Errors
    ///
    /// The store's own.
    pub async fn commit(&self, commit: impl Into<Commit>) -> Result<Fenced<Signal>, Error> {
        self.stores.leases.commit(commit.into()).await
    }

    /// Sends a commit that must be applied.
    pub async fn applied(&self, commit: impl Into<Commit>) -> Signal {
        match self.commit(commit).await.unwrap() {
            Fenced::Applied(signal) => signal,
            other => panic!("the commit was not applied: {other:?}"),
        }
    }

    /// Sends a commit that must be refused, and must leave no trace.
    pub async fn refused(&self, commit: impl Into<Commit>) -> Refusal {
        let commit = commit.into();
        let job = commit.job;
        let before = self.snapshot(job).await;
        let refusal = match self.commit(commit).await.unwrap() {
            Fenced::Refused(refusal) => refusal,
            other => panic!("the commit was not refused: {other:?}"),
        };
        assert_eq!(self.snapshot(job).await, before, "a refused commit wrote something");
        refusal
    }

    /// Sends a commit that must be stale, and must leave no trace.
    pub async fn stale(&self, commit: impl Into<Commit>) {
        let commit = commit.into();
        let job = commit.job;
        let before = self.snapshot(job).await;
        assert_eq!(self.commit(commit).await.unwrap(), Fenced::Stale);
        assert_eq!(self.snapshot(job).await, before, "a stale commit wrote something");
    }

    /// Sends a commit that no store can carry out, and that must leave no trace.
    pub async fn wrong(&self, commit: impl Into<Commit>) {
        let commit = commit.into();
        let job = commit.job;
        let before = self.snapshot(job).await;
        let error = self.commit(commit).await.expect_err("the commit is wrong");
        assert!(!error.is_transient(), "{error:?} invites to send the same again");
        assert_eq!(self.snapshot(job).await, before, "a wrong commit wrote something");
    }

    /// Steers a job.
    pub async fn ask(&self, job: JobId, request: ControlRequest) -> ControlAnswer {
        self.stores.jobs.control(&self.tenant_of(job), job, request).await.unwrap()
    }

    /// Changes the state of a job by request.
    pub async fn control(&self, job: JobId, control: Control) -> ControlAnswer {
        self.ask(job, ControlRequest::State(control)).await
    }

    /// Sets limits.
    pub async fn set_limits(&self, job: JobId, limits: Limits) -> ControlAnswer {
        self.ask(job, ControlRequest::SetLimits(limits)).await
    }

    /// One sweep.
    pub async fn recover(&self) -> Recovered {
        self.stores.leases.recover(&RecoverRequest { limit: 100 }).await.unwrap()
    }

    /// Lets every lease expire, and sweeps.
    pub async fn lose_leases(&self) -> Recovered {
        self.clock.advance(LEASE + Duration::from_secs(1));
        self.recover().await
    }

    /// A submitted job in each state that a job can be in, the held ones under a live lease.
    pub async fn in_state(&self, state: State) -> (JobId, Option<Held>) {
        if state == State::Queued {
            return (self.submit(job()).await, None);
        }
        let held = if state == State::Leased {
            self.leased(job()).await
        } else {
            self.running(job()).await
        };
        let id = held.job;
        match state {
            State::Queued | State::Leased | State::Running => {}
            State::RetryWait => {
                self.applied(commit(&held).retry_after(Duration::from_mins(10))).await;
            }
            State::Succeeded => {
                self.applied(commit(&held).succeed()).await;
            }
            State::Failed => {
                self.applied(commit(&held).fail()).await;
            }
            State::Pausing | State::Paused => {
                self.control(id, Control::Pause).await;
            }
            State::Cancelling | State::Cancelled => {
                self.control(id, Control::Cancel).await;
            }
        }
        if matches!(state, State::Paused | State::Cancelled) {
            self.applied(commit(&held).flush()).await;
        }
        assert_eq!(self.state(id).await, state);
        (id, state.is_held().then_some(held))
    }

    /// Spoils a job's row, and leaves the job out of the final check.
    pub async fn damage(&self, job: JobId) {
        self.damaged.lock().unwrap().push(job);
        self.harness.damage(&self.stores, job).await;
    }
}
