//! A stored answer is never paid for again.

use async_trait::async_trait;
use koinon_domain::State;
use koinon_kit::job;
use koinon_runner::{Failure, JobContext, JobError, Workload};
use koinon_store::EntryKind;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::bench::{Bench, request};

/// One stage with two calls; the first run fails between them and the end of the stage.
#[derive(Default)]
struct Twice {
    ran: AtomicBool,
}

#[async_trait]
impl Workload for Twice {
    const KIND: &'static str = "asks";
    const STAGES: &'static [&'static str] = &["both"];
    type Input = ();
    type Output = String;

    async fn run(&self, job: &JobContext, (): ()) -> Result<String, JobError> {
        job.stage("both")
            .once(&(), async |stage| {
                let one = stage.call(&request("one")).await?;
                let other = stage.call_sample(&request("one"), 1).await?;
                if !self.ran.swap(true, Ordering::Relaxed) {
                    return Err(Failure::new(koinon_retry::Class::Transient, "once").into());
                }
                Ok(format!("{} {} {}", one.text, other.text, one.replayed))
            })
            .await
    }
}

#[tokio::test(start_paused = true)]
async fn a_settled_call_is_replayed_and_samples_are_calls_of_their_own() {
    let bench = Bench::new(Twice::default());
    bench.provider.script([koinon_kit::answered("a"), koinon_kit::answered("b")]);
    let job = bench.submit(job()).await;
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Succeeded);
    assert_eq!(status.run.manifest.unwrap().summary, br#""a b true""#);
    assert_eq!(bench.provider.count(), 2);
    assert_eq!(bench.entries(job, EntryKind::Settled).await, 2);
}

/// Asks in a stage that it did not declare, or without a bound.
struct Wrong {
    stage: &'static str,
    max_output_tokens: u32,
}

#[async_trait]
impl Workload for Wrong {
    const KIND: &'static str = "asks";
    const STAGES: &'static [&'static str] = &["declared"];
    type Input = ();
    type Output = ();

    async fn run(&self, job: &JobContext, (): ()) -> Result<(), JobError> {
        let mut asked = request("one");
        asked.max_output_tokens = self.max_output_tokens;
        job.stage(self.stage).once(&(), async |stage| stage.call(&asked).await.map(|_| ())).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_stage_that_was_not_declared_and_a_request_without_a_bound_are_refused() {
    for (stage, max_output_tokens) in [("other", 100), ("declared", 0)] {
        let bench = Bench::new(Wrong { stage, max_output_tokens });
        let job = bench.submit(job()).await;
        assert_eq!(bench.drive(job).await.run.state, State::Failed);
        assert_eq!(bench.provider.count(), 0);
    }
}

/// Panics in its first run.
#[derive(Default)]
struct Panics {
    ran: AtomicBool,
}

#[async_trait]
impl Workload for Panics {
    const KIND: &'static str = "asks";
    const STAGES: &'static [&'static str] = &[];
    type Input = ();
    type Output = ();

    async fn run(&self, _: &JobContext, (): ()) -> Result<(), JobError> {
        assert!(self.ran.swap(true, Ordering::Relaxed), "the first run");
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_a_failure_of_the_run_and_not_of_the_worker() {
    let bench = Bench::new(Panics::default());
    let job = bench.submit(job()).await;
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Succeeded);
    assert!(bench.events(job).await.contains(&"retryable".to_owned()));
}
