//! A worker is gone, or cut off from the store.

use std::sync::Arc;
use std::time::Duration;

use koinon_domain::State;
use koinon_kit::{Fault, FaultStore, ModelStore, PausedClock, Stores, Verb, job};
use koinon_runner::Driven;
use koinon_store::EntryKind;

use crate::bench::{Asks, Bench};

/// Everything that a worker does with the store while it runs a job.
const VERBS: [Verb; 6] =
    [Verb::Job, Verb::Peek, Verb::Claim, Verb::Heartbeat, Verb::Commit, Verb::Recover];

/// A bench whose workers can be cut off from the store, and one that is never cut off, over one store.
fn two_benches(asks: &Asks) -> (Bench, Arc<FaultStore>, Bench) {
    let clock = Arc::new(PausedClock::new());
    let model = Arc::new(ModelStore::new(Arc::<PausedClock>::clone(&clock)));
    let faults = Arc::new(FaultStore::new(Stores::of(Arc::clone(&model))));
    let cut_off = Bench::on(Arc::clone(&clock), Stores::of(Arc::clone(&faults)), asks.clone());
    (cut_off, faults, Bench::on(clock, Stores::of(model), asks.clone()))
}

#[tokio::test(start_paused = true)]
async fn a_job_of_a_lost_worker_goes_on_from_its_last_checkpoint() {
    let (lost, faults, bench) = two_benches(&Asks::new(6, 1));
    lost.provider.close_gate();
    lost.provider.let_through(3);
    let job = lost.submit(job()).await;
    let tenant = lost.tenant();
    let worker = lost.worker();
    tokio::select! {
        _ended = worker.drive(&tenant, job) => panic!("its fourth call is not answered"),
        () = lost.provider.arrived(4) => {}
    }
    for verb in VERBS {
        faults.fail_every(verb, 1, Fault::Before);
    }
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Succeeded);
    assert_eq!(status.run.streaks.lease_losses, 1);
    assert_eq!(bench.provider.count(), 3, "what is stored is not asked again");
    assert_eq!(bench.entries(job, EntryKind::InDoubt).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_cannot_renew_its_lease_stops_before_it_lapses() {
    let (cut_off, faults, bench) = two_benches(&Asks::new(5, 1));
    cut_off.provider.close_gate();
    let job = cut_off.submit(job()).await;
    let tenant = cut_off.tenant();
    let worker = cut_off.worker();
    let (driven, status) = tokio::join!(worker.drive(&tenant, job), async {
        cut_off.provider.arrived(1).await;
        faults.fail_every(Verb::Heartbeat, 1, Fault::Before);
        tokio::time::sleep(cut_off.config.lease_for - Duration::from_secs(1)).await;
        // From now on every call would be answered, but its run has ended and sends none any more.
        cut_off.provider.open_gate();
        worker.stop();
        bench.drive(job).await
    });
    assert!(matches!(driven.unwrap(), Driven::Stopped(_)));
    assert_eq!(status.run.state, State::Succeeded);
    assert_eq!(cut_off.provider.count(), 1);
    assert_eq!(bench.provider.count(), 5);
    worker.drain().await;
}
