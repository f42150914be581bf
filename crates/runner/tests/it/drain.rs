//! The end of a worker: nothing is lost, and no attempt is spent.

use std::time::Duration;

use koinon_domain::State;
use koinon_kit::job;
use koinon_runner::{Drained, Driven};
use koinon_store::EntryKind;

use crate::bench::{Asks, Bench};

#[tokio::test(start_paused = true)]
async fn work_that_ends_within_the_drain_is_settled() {
    let bench = Bench::new(Asks::new(1, 1));
    bench.provider.close_gate();
    let job = bench.submit(job()).await;
    let worker = bench.worker();
    let tenant = bench.tenant();
    let (driven, drained) = tokio::join!(worker.drive(&tenant, job), async {
        bench.provider.arrived(1).await;
        let (drained, ()) = tokio::join!(worker.drain(), async {
            tokio::time::sleep(Duration::from_secs(20)).await;
            bench.provider.open_gate();
        });
        drained
    });
    assert!(
        matches!(driven.unwrap(), Driven::Ended(status) if status.run.state == State::Succeeded)
    );
    assert_eq!(drained, Drained::Clean);
}

#[tokio::test(start_paused = true)]
async fn what_outlives_the_drain_is_handed_back_uncharged_and_its_call_in_doubt() {
    let bench = Bench::new(Asks::new(3, 1));
    bench.provider.close_gate();
    let job = bench.submit(job()).await;
    let worker = bench.worker();
    let tenant = bench.tenant();
    let (driven, drained) = tokio::join!(worker.drive(&tenant, job), async {
        bench.provider.arrived(1).await;
        worker.drain().await
    });
    let Driven::Stopped(status) = driven.unwrap() else { panic!("the job has not ended") };
    assert_eq!(drained, Drained::Clean);
    assert_eq!(status.run.state, State::Queued);
    assert_eq!(status.run.attempt.get(), 0);
    assert_eq!(status.run.streaks.interruptions, 1);
    assert_eq!(bench.entries(job, EntryKind::InDoubt).await, 1);
    bench.check(job).await;
    bench.provider.open_gate();
    assert_eq!(bench.drive(job).await.run.state, State::Succeeded);
}

#[tokio::test(start_paused = true)]
async fn a_stopped_worker_claims_nothing() {
    let bench = Bench::new(Asks::new(1, 1));
    let job = bench.submit(job()).await;
    let worker = bench.worker();
    worker.stop();
    let driven = worker.drive(&bench.tenant(), job).await.unwrap();
    assert!(matches!(driven, Driven::Stopped(status) if status.run.state == State::Queued));
    worker.drain().await;
    assert_eq!(bench.status(job).await.run.generation.get(), 0);
}
