//! The workbench of these tests: a store, a provider, a workload, and workers on them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use koinon_admission::{Bulkhead, Limits};
use koinon_artifacts::Artifacts;
use koinon_budget::{Profile, Profiles};
use koinon_domain::{EventSeq, ItemKey, JobId, QueueName, TenantId};
use koinon_kit::{FakeProvider, JobBuilder, ModelStore, PausedClock, Stores, check_job};
use koinon_provider::{Format, Message, Providers, Request};
use koinon_runner::{
    Answer, Config, Driven, Item, JobContext, JobError, Rejected, Services, Worker, Workload,
    Workloads,
};
use koinon_store::{EntryKind, JobStatus};

/// A hundred tokens cost 1 000 nano-dollars: what an answered call costs here.
const PRICES: &str = r#"
    id = "test"
    effective_from = "2000-01-01T00:00:00Z"
    [[price]]
    provider = "fake"
    model = "m"
    input_usd_per_million = "0.01"
    output_usd_per_million = "0.01"
"#;

/// Asks once for each of its items, as many at once as it is told; then counts them.
#[derive(Debug, Clone)]
pub(crate) struct Asks {
    pub(crate) items: usize,
    pub(crate) concurrency: usize,
    pub(crate) counted: Arc<AtomicUsize>,
}

impl Asks {
    pub(crate) fn new(items: usize, concurrency: usize) -> Self {
        Self { items, concurrency, counted: Arc::default() }
    }
}

/// The text of an item: longer than the tokens that the provider says it read.
pub(crate) fn text(n: usize) -> String {
    format!("item {n}. {}", "x".repeat(100))
}

/// The request for an item.
pub(crate) fn request(text: &str) -> Request {
    Request {
        provider: "fake".to_owned(),
        model: "m".to_owned(),
        messages: vec![Message::user(text)],
        max_output_tokens: 100,
        format: Format::Text,
    }
}

#[async_trait]
impl Workload for Asks {
    const KIND: &'static str = "asks";
    const STAGES: &'static [&'static str] = &["ask", "count"];
    type Input = ();
    type Output = Vec<String>;

    async fn run(&self, job: &JobContext, (): ()) -> Result<Vec<String>, JobError> {
        let items =
            (0..self.items).map(|n| (ItemKey::try_new(format!("{n}")).unwrap(), text(n))).collect();
        let answers = job
            .stage("ask")
            .concurrency(self.concurrency)
            .each_call(items, |item| request(item), |_, answer| read(answer))
            .await?;
        let texts: Vec<String> = answers
            .into_iter()
            .map(|item| match item {
                Item::Answered(text) => text,
                Item::GivenUp { code, .. } => format!("given up: {code}"),
            })
            .collect();
        job.stage("count")
            .once(&texts, async |_| {
                self.counted.fetch_add(1, Ordering::Relaxed);
                Ok(texts.clone())
            })
            .await
    }
}

fn read(answer: &Answer) -> Result<String, Rejected> {
    if answer.text == "rubbish" {
        return Err(Rejected { code: "rubbish".to_owned(), message: "of no use".to_owned() });
    }
    Ok(answer.text.clone())
}

/// Everything that a test works with.
pub(crate) struct Bench {
    pub(crate) clock: Arc<PausedClock>,
    pub(crate) stores: Stores,
    pub(crate) provider: Arc<FakeProvider>,
    pub(crate) services: Services,
    pub(crate) config: Config,
}

impl Bench {
    pub(crate) fn new<W: Workload>(workload: W) -> Self {
        let clock = Arc::new(PausedClock::new());
        let store = Arc::new(ModelStore::new(Arc::<PausedClock>::clone(&clock)));
        let stores = Stores::of(store);
        Self::on(clock, stores, workload)
    }

    pub(crate) fn on<W: Workload>(clock: Arc<PausedClock>, stores: Stores, workload: W) -> Self {
        let provider = Arc::new(FakeProvider::new("fake"));
        let services = Services {
            jobs: Arc::clone(&stores.jobs),
            leases: Arc::clone(&stores.leases),
            ledger: Arc::clone(&stores.ledger),
            workers: Arc::clone(&stores.workers),
            schedules: Arc::clone(&stores.schedules),
            retention: Arc::clone(&stores.retention),
            beside: Vec::new(),
            keep: Arc::default(),
            artifacts: Artifacts::in_memory(),
            providers: Providers::new().with(Arc::<FakeProvider>::clone(&provider)),
            profiles: Profiles::new(vec![Profile::from_toml(PRICES).unwrap()]),
            workloads: Workloads::new().with(workload),
            running_limits: Arc::default(),
            clock: Arc::<PausedClock>::clone(&clock),
        };
        Self { clock, stores, provider, services, config: Config::default() }
    }

    pub(crate) async fn submit(&self, job: JobBuilder) -> JobId {
        let submission = job.kind("asks").queue("asks").payload("null").build(&*self.clock);
        self.stores.jobs.submit(vec![submission]).await.unwrap()[0].job()
    }

    pub(crate) fn worker(&self) -> Worker {
        let limits = Limits::try_new(1, 64, Duration::from_secs(30)).unwrap();
        let queues = vec![QueueName::try_new("asks").unwrap()];
        Worker::start(self.services.clone(), self.config, Bulkhead::new(limits), queues)
    }

    /// Drives the job in a worker of its own until it ends or stands still.
    pub(crate) async fn drive(&self, job: JobId) -> JobStatus {
        let worker = self.worker();
        let driven = worker.drive(&self.tenant(), job).await.unwrap();
        worker.drain().await;
        let Driven::Ended(status) = driven else { panic!("it was not driven: {driven:?}") };
        self.check(job).await;
        *status
    }

    pub(crate) fn tenant(&self) -> TenantId {
        koinon_kit::job().build(&*self.clock).job.tenant
    }

    pub(crate) async fn status(&self, job: JobId) -> JobStatus {
        self.stores.jobs.job(&self.tenant(), job).await.unwrap().unwrap()
    }

    /// The names of the job's events in their order.
    pub(crate) async fn events(&self, job: JobId) -> Vec<String> {
        let first = EventSeq::ZERO;
        let events = self.stores.jobs.events(&self.tenant(), job, first, 10_000).await.unwrap();
        events.iter().map(|event| event.name.as_str().to_owned()).collect()
    }

    /// How many ledger entries of this kind the job has.
    pub(crate) async fn entries(&self, job: JobId, kind: EntryKind) -> usize {
        let entries = self.stores.ledger.entries(&self.tenant(), job, 0, 10_000).await.unwrap();
        entries.iter().filter(|entry| entry.kind == kind).count()
    }

    /// The invariants of every job: no gap in its history, and its ledger adds up.
    pub(crate) async fn check(&self, job: JobId) {
        check_job(&self.stores, &self.tenant(), job).await;
    }
}
