//! The worker: it looks for work, claims it under permits, keeps the leases, and drains.

mod dispatch;
mod drain;
mod drive;
mod heartbeat;
mod hinted;
mod lane;
mod presence;
mod process;
mod prune;
mod pulse;
mod takes;
mod tick;
mod turn;

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use koinon_admission::Bulkhead;
use koinon_domain::{ErrorCode, QueueName, WorkerId};
use koinon_store::Peek;
use tokio::runtime::Handle;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub(crate) use dispatch::Begun;
pub use dispatch::Until;
pub use drain::Drained;
pub use drive::Driven;
pub use lane::Lane;
pub use process::Process;
pub(crate) use turn::{Promise, Seat, Turn};

use self::lane::OpenLane;
use self::takes::Takes;
use crate::held::HeldJobs;
use crate::{Config, JobError, Services, Tally};

/// One worker of a process: the claims that it makes carry its own id.
#[derive(Debug, Clone)]
pub struct Worker(Arc<Core>);

/// What the parts of a worker share.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) id: WorkerId,
    pub(crate) services: Arc<Services>,
    pub(crate) config: Config,
    pub(crate) bulkhead: Bulkhead,
    /// Where workloads run, if not on the runtime of the worker.
    pub(crate) threads: Option<Handle>,
    lanes: Vec<OpenLane>,
    /// How many permits the bulkhead has when nothing runs.
    capacity: usize,
    pub(crate) held: HeldJobs,
    pub(crate) tracker: TaskTracker,
    pub(crate) tally: Arc<Tally>,
    /// A permit came free, or something else makes a look at the store worth while.
    pub(crate) wake: Notify,
    /// So many lanes claim whenever they get a turn, without a look.
    claiming: AtomicUsize,
    /// So many runs are about to free their permits: their ends are being written.
    pub(crate) ending: AtomicUsize,
    /// One of them has freed its permit.
    pub(crate) ended: Notify,
    /// No new claims.
    pub(crate) stop: CancellationToken,
    /// The time of the drain is over: what still runs is interrupted.
    pub(crate) interrupt: CancellationToken,
    /// Everything has ended: heartbeats and looks at the store may end too.
    closed: CancellationToken,
    peeked: watch::Sender<Peek>,
    /// Whether others are told that this worker takes jobs from its queues.
    is_present: AtomicBool,
    /// Whether the last look at the store was answered; false before the first.
    reached: AtomicBool,
    trouble: Mutex<Option<Trouble>>,
    /// The claims that wait for their answers.
    takes: Takes,
    /// For so many heartbeats a claim whose reply was lost is looked for.
    looking_for_claims: AtomicU8,
    /// How many claims have brought something.
    claims: AtomicU64,
    /// Since when, on the monotonic clock, claims find no space.
    full_since: Mutex<Option<Duration>>,
}

/// Something that kept a claim from being settled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Trouble {
    /// The stable code.
    pub code: ErrorCode,
    /// What happened, for people.
    pub message: String,
}

impl Worker {
    /// A worker that looks after `queues`, alone in its process. Its heartbeats and looks at the store begin
    /// at once.
    ///
    /// Must be called on a tokio runtime.
    #[must_use]
    pub fn start(
        services: Services,
        config: Config,
        bulkhead: Bulkhead,
        queues: impl IntoIterator<Item = impl Into<Lane>>,
    ) -> Self {
        let id = WorkerId::from_uuid(services.clock.uuid());
        Self::start_in(&Process::new(id, bulkhead), services, config, queues)
    }

    /// The same, in a process that may have other workers on other stores.
    ///
    /// Must be called on a tokio runtime.
    #[must_use]
    pub fn start_in(
        process: &Process,
        services: Services,
        config: Config,
        queues: impl IntoIterator<Item = impl Into<Lane>>,
    ) -> Self {
        let Process { id, bulkhead, threads } = process.clone();
        let open = |lane: Lane| {
            let limits = services.running_limits.get(lane.queue()).copied().unwrap_or_default();
            OpenLane::new(lane, limits)
        };
        let lanes: Vec<_> = queues.into_iter().map(|lane| open(lane.into())).collect();
        let queues = lanes.iter().map(|lane| lane.queue().clone()).collect();
        let core = Arc::new(Core {
            id,
            services: Arc::new(services),
            config,
            capacity: bulkhead.available(),
            bulkhead,
            threads,
            lanes,
            held: HeldJobs::default(),
            tracker: TaskTracker::new(),
            tally: Arc::default(),
            wake: Notify::new(),
            claiming: AtomicUsize::new(0),
            ending: AtomicUsize::new(0),
            ended: Notify::new(),
            stop: CancellationToken::new(),
            interrupt: CancellationToken::new(),
            closed: CancellationToken::new(),
            peeked: watch::Sender::new(Peek::default()),
            is_present: AtomicBool::new(false),
            reached: AtomicBool::new(false),
            trouble: Mutex::default(),
            takes: Takes::default(),
            looking_for_claims: AtomicU8::new(0),
            claims: AtomicU64::new(0),
            full_since: Mutex::default(),
        });
        core.tracker.spawn(heartbeat::beat(Arc::clone(&core)));
        core.tracker.spawn(pulse::pulse(Arc::clone(&core), queues));
        Self(core)
    }

    /// Its id: one for each start.
    #[must_use]
    pub fn id(&self) -> WorkerId {
        self.0.id
    }

    /// What it has done so far.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.0.tally
    }

    /// Whether its store answered the last look; false before the first.
    #[must_use]
    pub fn has_reached_store(&self) -> bool {
        self.0.reached.load(Ordering::Acquire)
    }

    /// How many jobs of each of its queues it runs now.
    #[must_use]
    pub fn running(&self) -> Vec<(QueueName, usize)> {
        self.0.lanes.iter().map(|lane| (lane.queue().clone(), lane.running())).collect()
    }

    /// Tells it to claim nothing more; [`drain`](Self::drain) then ends it.
    pub fn stop(&self) {
        self.0.stop.cancel();
        self.0.bulkhead.close();
        self.0.wake.notify_one();
    }

    /// What last kept a claim from being settled.
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        self.0.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Core {
    pub(crate) fn note_trouble(&self, error: &JobError) {
        let trouble = match error {
            JobError::Failure(failure) => {
                Trouble { code: failure.code().clone(), message: failure.message().to_owned() }
            }
            JobError::Halt(halt) => {
                Trouble { code: ErrorCode::LEASE_LOST, message: halt.to_string() }
            }
        };
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = Some(trouble);
    }

    /// A permit came free. Where no lane waits for one already, a look finds what it may serve.
    pub(crate) fn freed(&self) {
        self.ended.notify_one();
        if self.claiming.load(Ordering::Acquire) == 0 {
            self.wake.notify_one();
        }
    }

    /// Does something, unless everything has ended meanwhile: a store that does not answer keeps nobody.
    async fn unless_closed<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            done = work => Some(done),
            () = self.closed.cancelled() => None,
        }
    }

    /// Sleeps, unless everything has ended; returns whether to go on.
    async fn pause(&self, time: Duration) -> bool {
        tokio::select! {
            () = tokio::time::sleep(time) => true,
            () = self.closed.cancelled() => false,
        }
    }
}

/// The store's answer, if it comes in time.
async fn within<T>(
    time: Duration,
    answer: impl Future<Output = Result<T, koinon_store::Error>>,
) -> Result<T, koinon_store::Error> {
    match tokio::time::timeout(time, answer).await {
        Ok(answer) => answer,
        Err(elapsed) => Err(koinon_store::Error::Unavailable(elapsed.into())),
    }
}
