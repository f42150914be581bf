//! The start of a run, and what a first claim need not look for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use koinon_domain::{Control, State};
use koinon_kit::{Fault, FaultStore, ModelStore, PausedClock, Stores, Verb, job};
use koinon_runner::{Failure, JobContext, JobError, Workload};
use koinon_store::{ControlRequest, EntryKind};

use crate::bench::{Asks, Bench};

fn bench<W: Workload>(workload: W) -> (Arc<FaultStore>, Bench) {
    let clock = Arc::new(PausedClock::new());
    let model = Stores::of(Arc::new(ModelStore::new(Arc::<PausedClock>::clone(&clock))));
    let faults = Arc::new(FaultStore::new(model));
    let bench = Bench::on(clock, Stores::of(Arc::clone(&faults)), workload);
    (faults, bench)
}

/// Takes its time, and then fails or succeeds. It remembers whether it came to its end.
struct Slow {
    takes: Duration,
    ended: Arc<AtomicBool>,
}

impl Slow {
    fn new(takes: Duration) -> (Self, Arc<AtomicBool>) {
        let ended = Arc::default();
        (Self { takes, ended: Arc::clone(&ended) }, ended)
    }
}

#[async_trait]
impl Workload for Slow {
    const KIND: &'static str = "asks";
    const STAGES: &'static [&'static str] = &[];
    type Input = ();
    type Output = ();

    async fn run(&self, _: &JobContext, (): ()) -> Result<(), JobError> {
        tokio::time::sleep(self.takes).await;
        self.ended.store(true, Ordering::Release);
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn a_job_that_ends_at_once_is_one_commit_and_its_history_has_the_start() {
    let (faults, bench) = bench(Slow::new(Duration::ZERO).0);
    let job = bench.submit(job()).await;
    assert_eq!(bench.drive(job).await.run.state, State::Succeeded);
    assert_eq!(faults.calls_of(Verb::Commit), 1);
    assert_eq!(bench.events(job).await, ["submitted", "claimed", "started", "succeeded"]);
}

#[tokio::test(start_paused = true)]
async fn a_job_that_waits_before_it_writes_is_seen_to_run_at_once() {
    let (_, bench) = bench(Slow::new(Duration::from_secs(5)).0);
    let job = bench.submit(job()).await;
    let (status, ()) = tokio::join!(bench.drive(job), async {
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!(bench.status(job).await.run.state, State::Running);
    });
    assert_eq!(status.run.state, State::Succeeded);
    assert_eq!(bench.events(job).await, ["submitted", "claimed", "started", "succeeded"]);
}

#[tokio::test(start_paused = true)]
async fn a_start_that_is_refused_ends_the_run() {
    let (slow, ended) = Slow::new(Duration::from_hours(1));
    let (faults, bench) = bench(slow);
    let job = bench.submit(job()).await;
    // The start is sent again after a while, and the job was cancelled before that.
    faults.fail(Verb::Commit, 1, Fault::Before);
    let (status, asked) = tokio::join!(bench.drive(job), async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let cancel = ControlRequest::State(Control::Cancel);
        bench.stores.jobs.control(&bench.tenant(), job, cancel).await.unwrap();
        tokio::time::Instant::now()
    });
    assert_eq!(status.run.state, State::Cancelled);
    assert!(asked.elapsed() < Duration::from_secs(5));
    assert!(!ended.load(Ordering::Acquire), "the workload was ended");
    assert!(!bench.events(job).await.contains(&"started".to_owned()));
}

/// Fails behind its one stage, the first time.
struct Twice {
    failed: AtomicBool,
}

#[async_trait]
impl Workload for Twice {
    const KIND: &'static str = "asks";
    const STAGES: &'static [&'static str] = &["work"];
    type Input = ();
    type Output = u32;

    async fn run(&self, job: &JobContext, (): ()) -> Result<u32, JobError> {
        let first = job.stage("work").once(&1, async |_| Ok(7)).await?;
        let again = job.stage("work").once(&1, async |_| Ok(8)).await?;
        assert_eq!(first, again, "the second one finds the result of the first");
        if self.failed.swap(true, Ordering::AcqRel) {
            return Ok(again);
        }
        Err(Failure::permanent("the first run ends here").into())
    }
}

#[tokio::test(start_paused = true)]
async fn only_what_may_be_stored_is_looked_for() {
    let (faults, bench) = bench(Twice { failed: AtomicBool::new(false) });
    let job = bench.submit(job()).await;
    assert_eq!(bench.drive(job).await.run.state, State::Failed);
    assert_eq!(faults.calls_of(Verb::Checkpoints), 1, "for the second time of the stage");
    assert_eq!(faults.calls_of(Verb::Calls), 0);
    let retry = ControlRequest::State(Control::Retry);
    bench.stores.jobs.control(&bench.tenant(), job, retry).await.unwrap();
    assert_eq!(bench.drive(job).await.run.manifest.unwrap().summary, b"7");
    assert_eq!(faults.calls_of(Verb::Checkpoints), 3, "a later claim always looks");
}

#[tokio::test(start_paused = true)]
async fn a_hold_brings_the_start_along() {
    let (_, bench) = bench(Asks::new(1, 1));
    let job = bench.submit(job()).await;
    assert_eq!(bench.drive(job).await.run.state, State::Succeeded);
    let events = bench.events(job).await;
    assert_eq!(events[..3], ["submitted", "claimed", "started"]);
    assert_eq!(bench.provider.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_settlement_of_a_call_and_the_hold_of_the_next_are_one_commit() {
    let (faults, bench) = bench(Asks::new(5, 1));
    let job = bench.submit(job()).await;
    assert_eq!(bench.drive(job).await.run.state, State::Succeeded);
    // Five holds, the first with the start; the last settlement, the second stage, the end.
    assert_eq!(faults.calls_of(Verb::Commit), 5 + 3);
    assert_eq!(bench.provider.count(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_hold_that_the_budget_refuses_leaves_the_settlement_before_it() {
    let (faults, bench) = bench(Asks::new(5, 1));
    let job = bench.submit(job().calls(2)).await;
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Paused);
    assert_eq!(bench.provider.count(), 2);
    assert_eq!(bench.entries(job, EntryKind::Settled).await, 2);
    assert_eq!(bench.entries(job, EntryKind::Reserved).await, 2);
    // Two holds; the second settlement with the third hold, which is refused; both alone; the two of the end.
    assert_eq!(faults.calls_of(Verb::Commit), 2 + 1 + 2 + 2);
}
