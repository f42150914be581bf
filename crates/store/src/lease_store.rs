//! The port of the lease protocol: peek, claim, heartbeat, commit, recover.

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use koinon_domain::{Authority, Generation, JobId, Kind, QueueName, TenantId, Timestamp, WorkerId};

use crate::{Commit, Error, Fenced, Hints, JobSpec, Run, RunningLimits, Signal};

/// What a worker wants to know once a second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeekRequest {
    /// The worker.
    pub owner: WorkerId,
    /// The queues that it works on.
    pub queues: Vec<QueueName>,
}

/// Whether there is anything to do; takes no lock.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Peek {
    /// The queues with work that is ready.
    pub ready: Vec<QueueName>,
    /// Whether some `retry_wait` is over.
    pub due: bool,
    /// Whether some lease has expired.
    pub expired: bool,
    /// Whether some schedule's tick is due.
    pub tick_due: bool,
    /// The worker's own jobs that were asked to pause or cancel.
    pub signals: Vec<(JobId, Generation, Signal)>,
    /// When the next `retry_wait` of these queues is over, if there is one.
    pub next_due_at: Option<Timestamp>,
    /// When the next lease expires, whoever holds it, if there is one.
    pub next_expiry_at: Option<Timestamp>,
    /// When the next schedule ticks, whose queue it ever is, if there is one.
    pub next_tick_at: Option<Timestamp>,
    /// The store's time.
    pub now: Timestamp,
}

/// Which jobs a claim may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Any of a queue.
    Queue(QueueName),
    /// Just this one.
    Job(JobId),
}

/// A request for work. The caller holds a permit for each job that it asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    /// The worker.
    pub owner: WorkerId,
    /// Which jobs.
    pub scope: Scope,
    /// How many at the most.
    pub limit: u32,
    /// How many jobs of the queue may be held at once, the one of the job if the scope is a job.
    pub running: RunningLimits,
    /// How long the lease lasts.
    pub lease_for: Duration,
    /// The kinds of which a job that may run under its authority starts with its claim, in one transaction. None
    /// if what is claimed has to wait for its turn; then a commit starts it.
    pub starts: Vec<Kind>,
}

impl ClaimRequest {
    /// Whether a job starts with its claim.
    #[must_use]
    pub fn starts(&self, kind: &Kind, authority: Option<&Authority>, tenant: &TenantId) -> bool {
        self.starts.contains(kind) && authority.is_some_and(|authority| authority.covers(tenant))
    }
}

/// A claimed job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// The job.
    pub job: JobId,
    /// Its generation under this claim.
    pub generation: Generation,
}

/// What a claimed job is to do and where it stood; read after the claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What was asked for.
    pub spec: JobSpec,
    /// How it stands.
    pub run: Run,
}

/// A claim that was looked for: `None` if it is no longer the job's, an error if its row cannot be read.
pub type Loaded = Result<Option<Claim>, Error>;

/// One statement for all jobs that a process holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeartbeatRequest {
    /// The worker.
    pub owner: WorkerId,
    /// The jobs that it knows it holds, and wants to keep.
    pub held: Vec<(JobId, Generation)>,
    /// The jobs that it holds and does not want to renew, because they have not ended in time.
    pub abandoned: Vec<(JobId, Generation)>,
    /// How long the leases last from now on.
    pub lease_for: Duration,
}

/// What a heartbeat learnt about one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beat {
    /// The lease is renewed.
    Held(Signal),
    /// The worker no longer holds it.
    Lost,
    /// The store says that the worker holds it, and the worker did not know: hand it back.
    Unknown,
}

/// A bounded sweep over what time has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoverRequest {
    /// How many rows of each kind at the most.
    pub limit: u32,
}

/// What a sweep did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recovered {
    /// `retry_wait` that is over and queued again.
    pub due: Vec<JobId>,
    /// Jobs whose lease had expired, taken from their worker.
    pub expired: Vec<JobId>,
    /// Jobs whose row could not be recovered.
    pub set_aside: Vec<JobId>,
}

/// The lease protocol. The database's clock decides everything.
///
/// Every method is cancel safe: a write that was begun either happens completely or not at all, and
/// may be repeated.
#[async_trait]
pub trait LeaseStore: Debug + Send + Sync {
    /// One cheap read that says whether there is work.
    async fn peek(&self, request: &PeekRequest) -> Result<Peek, Error>;

    /// Takes up to `limit` ready jobs: the most urgent first, then the longest ready, then by id. Jobs of
    /// tenants that have as many as they may are passed by. Claims under limits of one queue wait for one
    /// another, so that together they never take too many. A job that starts with its claim is `running`
    /// afterwards, the others are `leased`.
    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claimed>, Error>;

    /// Reads claimed jobs, all at once; the answers are in the order of the claims. What is wrong with one
    /// row is its own answer; a job that cannot be read is given back and set aside.
    async fn load(&self, claimed: &[Claimed]) -> Result<Vec<Loaded>, Error>;

    /// Claims, and reads what was claimed; a store that can do both at once does.
    async fn take(&self, request: &ClaimRequest) -> Result<Vec<(Claimed, Loaded)>, Error> {
        let claimed = self.claim(request).await?;
        let loaded = match self.load(&claimed).await {
            Ok(loaded) => loaded,
            Err(error) => {
                let failed = |_: &Claimed| Err(Error::Unavailable(error.to_string().into()));
                claimed.iter().map(failed).collect()
            }
        };
        Ok(claimed.into_iter().zip(loaded).collect())
    }

    /// Renews leases, counts run time, and answers for every job of this worker.
    async fn heartbeat(
        &self,
        request: &HeartbeatRequest,
    ) -> Result<Vec<(JobId, Generation, Beat)>, Error>;

    /// The one guarded write of held work. The fence is job, generation, owner and tenant, in a held
    /// state.
    async fn commit(&self, commit: Commit) -> Result<Fenced<Signal>, Error>;

    /// Queues what is due and takes jobs from workers that are gone.
    async fn recover(&self, request: &RecoverRequest) -> Result<Recovered, Error>;

    /// Listens from now on for hints that a look is worth while: jobs became ready, or held ones were asked
    /// to stop. Hears at least what this process does to the store; a hint may be lost.
    fn hints(&self) -> Hints;
}
