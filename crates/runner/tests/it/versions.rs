//! Two versions of a program on the same queue.

use std::time::Duration;

use async_trait::async_trait;
use koinon_domain::{JobId, State};
use koinon_kit::job;
use koinon_runner::{JobContext, JobError, Until, Worker, Workload, Workloads};

use crate::bench::{Asks, Bench};

/// All that the older version knows.
struct Old;

#[async_trait]
impl Workload for Old {
    const KIND: &'static str = "old";
    const STAGES: &'static [&'static str] = &[];
    type Input = ();
    type Output = ();

    async fn run(&self, _job: &JobContext, (): ()) -> Result<(), JobError> {
        Ok(())
    }
}

/// Lets a worker look after the queue until something is true of the job's history.
async fn until(bench: &Bench, worker: &Worker, job: JobId, done: impl Fn(&[String]) -> bool) {
    tokio::select! {
        _ended = worker.dispatch(Until::Stopped) => panic!("nobody stopped it"),
        () = async {
            while !done(&bench.events(job).await) {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        } => {}
    }
    worker.drain().await;
}

#[tokio::test(start_paused = true)]
async fn a_job_whose_kind_the_older_version_does_not_know_waits_for_the_newer_one() {
    let mut bench = Bench::new(Old);
    let job = bench.submit(job().max_attempts(1)).await;
    let count =
        |events: &[String], name: &str| events.iter().filter(|event| *event == name).count();

    until(&bench, &bench.worker(), job, |events| count(events, "handed_back") == 3).await;
    let run = bench.status(job).await.run;
    assert_eq!((run.state, run.attempt.get()), (State::Queued, 0), "no attempt is spent");
    assert_eq!(count(&bench.events(job).await, "unknown_kind"), 3, "its history says why");

    bench.services.workloads = Workloads::new().with(Asks::new(1, 1));
    until(&bench, &bench.worker(), job, |events| count(events, "succeeded") == 1).await;
    let run = bench.status(job).await.run;
    assert_eq!((run.state, run.attempt.get()), (State::Succeeded, 1));
    bench.check(job).await;
}
