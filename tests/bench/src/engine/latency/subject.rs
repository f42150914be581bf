//! The engine: one that submits, and a worker on connections of its own.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use koinon::admission::{Bulkhead, Limits};
use koinon::artifacts::Artifacts;
use koinon::budget::Profiles;
use koinon::prelude::*;
use koinon::provider::Providers;
use koinon::runner::{Config, Services, Workloads};
use koinon::store::{Clock as _, Error, Retention, SystemClock};
use koinon_store_postgres::{Notifications, Options, PostgresStore, Time};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::watched::{Seen, Watched};
use crate::engine::server::Scratch;
use crate::engine::subject::prepare;

/// The input of a job; the floor stores the same.
pub(super) const PAYLOAD: &str = "a sentence that is about as long as the input of a small job";

/// A start that takes longer is none.
const PATIENCE: Duration = Duration::from_secs(10);

/// Waits for something outside, as most jobs do, so that nothing which it writes brings its start along.
struct Waits;

#[async_trait]
impl Workload for Waits {
    const KIND: &'static str = "waits";
    const STAGES: &'static [&'static str] = &[];
    type Input = String;
    type Output = ();

    async fn run(&self, _: &JobContext, _: String) -> Result<(), JobError> {
        tokio::time::sleep(Duration::from_millis(10)).await;
        Ok(())
    }
}

/// Both ends of a queue.
pub(super) struct Subject {
    clock: Arc<SystemClock>,
    submits: Koinon,
    works: PostgresStore,
    worker: Worker,
    dispatching: JoinSet<Result<(), Error>>,
    seen: mpsc::UnboundedReceiver<Seen>,
    submitted: usize,
}

impl Subject {
    pub(super) async fn open(
        scratch: &Scratch,
        notifications: Notifications,
    ) -> anyhow::Result<Self> {
        let clock = Arc::new(SystemClock::new());
        let mut settings = prepare(scratch).await?;
        settings.database.notifications = notifications != Notifications::Off;
        let submits = Koinon::builder(settings).workload(Waits).open().await?;
        let options = Options { notifications, ..Options::default() };
        let works = PostgresStore::open(&scratch.url, options, Time::Database).await?;
        let (told, seen) = mpsc::unbounded_channel();
        let store = Arc::new(works.clone());
        let watched = Watched { store: works.clone(), clock: Arc::clone(&clock), seen: told };
        let services = Services {
            jobs: Arc::<PostgresStore>::clone(&store),
            leases: Arc::new(watched),
            ledger: Arc::<PostgresStore>::clone(&store),
            workers: Arc::<PostgresStore>::clone(&store),
            schedules: Arc::<PostgresStore>::clone(&store),
            retention: store,
            beside: Vec::new(),
            keep: Arc::new(Retention::default()),
            artifacts: Artifacts::in_memory(),
            providers: Providers::new(),
            profiles: Profiles::new(Vec::new()),
            workloads: Workloads::new().with(Waits),
            running_limits: Arc::default(),
            clock: Arc::<SystemClock>::clone(&clock),
        };
        let bulkhead = Bulkhead::new(Limits::try_new(1, 64, PATIENCE)?);
        let queues = [QueueName::try_new(Waits::KIND)?];
        let worker = Worker::start(services, Config::default(), bulkhead, queues);
        let mut dispatching = JoinSet::new();
        let dispatcher = worker.clone();
        dispatching.spawn(async move { dispatcher.dispatch(Until::Stopped).await });
        Ok(Self { clock, submits, works, worker, dispatching, seen, submitted: 0 })
    }

    /// One job, from before its submission to the end of the commit of its start, in milliseconds. The
    /// worker has nothing to do when that is known.
    pub(super) async fn start(&mut self) -> anyhow::Result<f64> {
        self.submitted += 1;
        let submit = Submit::of::<Waits>(&self.submitted.to_string(), &PAYLOAD)?;
        let began = self.clock.monotonic();
        self.submits.submit(submit).await?;
        let mut started = None;
        loop {
            let seen = tokio::time::timeout(PATIENCE, self.seen.recv()).await;
            match seen.context("a job does not start")?.context("the worker is gone")? {
                Seen::Start(at) => started = Some(at - began),
                Seen::End => break,
            }
        }
        match started {
            Some(took) => Ok(took.as_secs_f64() * 1e3),
            None => bail!("a job ended that had not started"),
        }
    }

    pub(super) async fn close(mut self) {
        self.worker.drain().await;
        while self.dispatching.join_next().await.is_some() {}
        self.works.close().await;
        self.submits.close().await;
    }
}
