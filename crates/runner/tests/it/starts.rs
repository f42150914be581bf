//! The start of a run, and what a first claim need not look for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use koinon_domain::{Control, State};
use koinon_kit::{FaultStore, ModelStore, PausedClock, Stores, Verb, job};
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

/// Takes its time, and then succeeds.
struct Slow(Duration);

#[async_trait]
impl Workload for Slow {
    const KIND: &'static str = "asks";
    const STAGES: &'static [&'static str] = &[];
    type Input = ();
    type Output = ();

    async fn run(&self, _: &JobContext, (): ()) -> Result<(), JobError> {
        tokio::time::sleep(self.0).await;
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn a_job_starts_with_its_claim() {
    let (faults, bench) = bench(Slow(Duration::from_secs(5)));
    let job = bench.submit(job()).await;
    let (status, ()) = tokio::join!(bench.drive(job), async {
        tokio::time::sleep(Duration::from_secs(4)).await;
        assert_eq!(bench.status(job).await.run.state, State::Running);
        assert_eq!(faults.calls_of(Verb::Commit), 0);
    });
    assert_eq!(status.run.state, State::Succeeded);
}

#[tokio::test(start_paused = true)]
async fn a_job_that_ends_at_once_is_one_commit_and_its_history_has_the_start() {
    let (faults, bench) = bench(Slow(Duration::ZERO));
    let job = bench.submit(job()).await;
    assert_eq!(bench.drive(job).await.run.state, State::Succeeded);
    assert_eq!(faults.calls_of(Verb::Commit), 1);
    assert_eq!(bench.events(job).await, ["submitted", "claimed", "started", "succeeded"]);
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
async fn the_settlement_of_a_call_and_the_hold_of_the_next_are_one_commit() {
    let (faults, bench) = bench(Asks::new(5, 1));
    let job = bench.submit(job()).await;
    assert_eq!(bench.drive(job).await.run.state, State::Succeeded);
    // Five holds; the last settlement, the second stage, the end.
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
