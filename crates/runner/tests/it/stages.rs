//! Stages: stored results serve, and nothing runs twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use koinon_domain::{Control, ItemKey, State};
use koinon_kit::job;
use koinon_runner::{JobContext, JobError, OnChanged, Workload};
use koinon_store::ControlRequest;

use crate::bench::{Asks, Bench, text};

#[tokio::test(start_paused = true)]
async fn a_job_runs_to_its_end_and_its_results_stand_in_the_order_of_the_items() {
    let bench = Bench::new(Asks::new(5, 3));
    let job = bench.submit(job()).await;
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Succeeded);
    let summary = status.run.manifest.unwrap().summary;
    let wanted: Vec<String> = (0..5).map(text).collect();
    assert_eq!(serde_json::from_slice::<Vec<String>>(&summary).unwrap(), wanted);
    assert_eq!(bench.provider.count(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_finished_stage_never_runs_again() {
    let asks = Asks::new(3, 1);
    let counted = Arc::clone(&asks.counted);
    let bench = Bench::new(asks);
    let job = bench.submit(job()).await;
    bench.drive(job).await;
    // A job that has succeeded is not driven again, and a driven one finds its results.
    bench.drive(job).await;
    assert_eq!(counted.load(Ordering::Relaxed), 1);
    assert_eq!(bench.provider.count(), 3);
}

#[tokio::test(start_paused = true)]
async fn large_results_are_artifacts_and_read_back() {
    let bench = Bench::new(Asks::new(1, 1));
    let long = "word ".repeat(10_000);
    bench.provider.script([koinon_kit::answered(&long)]);
    let job = bench.submit(job()).await;
    let status = bench.drive(job).await;
    let summary = status.run.manifest.unwrap().summary;
    assert_eq!(serde_json::from_slice::<Vec<String>>(&summary).unwrap(), [long]);
}

/// One stage over an input that changes between two runs; the first run fails behind it.
struct Changing {
    runs: AtomicUsize,
    worked: Arc<AtomicUsize>,
    policy: OnChanged,
}

#[async_trait]
impl Workload for Changing {
    const KIND: &'static str = "asks";
    const STAGES: &'static [&'static str] = &["work"];
    type Input = ();
    type Output = Vec<usize>;

    async fn run(&self, job: &JobContext, (): ()) -> Result<Vec<usize>, JobError> {
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let items =
            vec![(ItemKey::try_new("a").unwrap(), 7), (ItemKey::try_new("b").unwrap(), run)];
        let values = job
            .stage("work")
            .on_changed(self.policy)
            .each(items, async |_, input| {
                self.worked.fetch_add(1, Ordering::Relaxed);
                Ok(input)
            })
            .await?;
        if run == 0 {
            return Err(koinon_runner::Failure::permanent("the first run ends here").into());
        }
        Ok(values)
    }
}

async fn changed(policy: OnChanged) -> (koinon_store::JobStatus, usize, Vec<String>) {
    let worked = Arc::default();
    let workload = Changing { runs: AtomicUsize::new(0), worked: Arc::clone(&worked), policy };
    let bench = Bench::new(workload);
    let job = bench.submit(job()).await;
    assert_eq!(bench.drive(job).await.run.state, State::Failed);
    let retry = ControlRequest::State(Control::Retry);
    bench.stores.jobs.control(&bench.tenant(), job, retry).await.unwrap();
    let status = bench.drive(job).await;
    (status, worked.load(Ordering::Relaxed), bench.events(job).await)
}

#[tokio::test(start_paused = true)]
async fn only_the_item_whose_input_changed_runs_again_and_an_event_says_so() {
    let (status, worked, events) = changed(OnChanged::Rerun).await;
    assert_eq!(status.run.state, State::Succeeded);
    assert_eq!(status.run.manifest.unwrap().summary, b"[7,1]");
    assert_eq!(worked, 3);
    assert!(events.contains(&"input_changed".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn reuse_takes_the_stored_result_of_another_input() {
    let (status, worked, events) = changed(OnChanged::Reuse).await;
    assert_eq!(status.run.manifest.unwrap().summary, b"[7,0]");
    assert_eq!(worked, 2);
    assert!(events.contains(&"input_changed".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn fail_fails_the_job_when_the_input_changed() {
    let (status, worked, _) = changed(OnChanged::Fail).await;
    assert_eq!(status.run.failed.unwrap().code.as_str(), "input_mismatch");
    assert_eq!(worked, 2);
}
