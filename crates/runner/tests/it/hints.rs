//! Hints shorten the wait for the next look, and nothing depends on them.

use std::sync::Arc;
use std::time::Duration;

use koinon_domain::{Control, State};
use koinon_kit::{FaultStore, ModelStore, PausedClock, Stores, Verb, job};
use koinon_runner::{Until, Worker};
use koinon_store::ControlRequest;
use tokio::time::Instant;

use crate::bench::{Asks, Bench};

fn bench() -> (Bench, Arc<FaultStore>) {
    let clock = Arc::new(PausedClock::new());
    let model = Arc::new(ModelStore::new(Arc::<PausedClock>::clone(&clock)));
    let faults = Arc::new(FaultStore::new(Stores::of(model)));
    (Bench::on(clock, Stores::of(Arc::clone(&faults)), Asks::new(1, 1)), faults)
}

/// Lets a worker look after the queue while something is done.
async fn beside<T>(worker: &Worker, done: impl Future<Output = T>) -> T {
    let answer = tokio::select! {
        _ended = worker.dispatch(Until::Stopped) => panic!("nobody stopped it"),
        answer = done => answer,
    };
    worker.drain().await;
    answer
}

/// Half a tick after the last look: as far from a look as one can be.
async fn between_looks(bench: &Bench) {
    tokio::time::sleep(bench.config.tick * 5 / 2).await;
}

#[tokio::test(start_paused = true)]
async fn a_submission_is_started_without_waiting_for_the_next_look() {
    let (bench, faults) = bench();
    bench.provider.close_gate();
    let worker = bench.worker();
    beside(&worker, async {
        between_looks(&bench).await;
        let looks = faults.calls_of(Verb::Peek);
        let submitted = Instant::now();
        bench.submit(job()).await;
        bench.provider.arrived(1).await;
        assert!(submitted.elapsed() < Duration::from_millis(10));
        assert_eq!(faults.calls_of(Verb::Peek), looks, "it claims without a look");
        bench.provider.open_gate();
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_lost_hint_costs_one_tick() {
    let (bench, faults) = bench();
    faults.lose_hints();
    let worker = bench.worker();
    beside(&worker, async {
        between_looks(&bench).await;
        let submitted = Instant::now();
        bench.submit(job()).await;
        bench.provider.arrived(1).await;
        assert!(submitted.elapsed() <= bench.config.tick);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_request_to_stop_reaches_a_running_job_without_waiting_for_the_next_look() {
    let (bench, _) = bench();
    bench.provider.close_gate();
    let worker = bench.worker();
    beside(&worker, async {
        let id = bench.submit(job()).await;
        bench.provider.arrived(1).await;
        between_looks(&bench).await;
        let asked = Instant::now();
        let cancel = ControlRequest::State(Control::Cancel);
        bench.stores.jobs.control(&bench.tenant(), id, cancel).await.unwrap();
        // The call under way has the time to flush, and no more than that.
        while bench.status(id).await.run.state != State::Cancelled {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert!(asked.elapsed() < bench.config.flush_for + Duration::from_millis(20));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_hints_makes_few_claims() {
    let (bench, faults) = bench();
    let worker = bench.worker();
    beside(&worker, async {
        between_looks(&bench).await;
        let claims = faults.calls_of(Verb::Claim);
        for _ in 0..5_000 {
            let other = job().kind("asks").queue("other").payload("null").build(&*bench.clock);
            bench.stores.jobs.submit(vec![other]).await.unwrap();
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let claims = faults.calls_of(Verb::Claim) - claims;
        assert!((1..=60).contains(&claims), "{claims} claims in five seconds");
    })
    .await;
}
