//! The store fails now and then; the answers that are lost are asked for again.

use std::sync::Arc;

use koinon_domain::State;
use koinon_kit::{Fault, FaultStore, ModelStore, PausedClock, Stores, Verb, job};
use koinon_store::EntryKind;

use crate::bench::{Asks, Bench};

#[tokio::test(start_paused = true)]
async fn lost_replies_and_failed_commits_neither_lose_nor_repeat_anything() {
    for fault in [Fault::Before, Fault::After] {
        let clock = Arc::new(PausedClock::new());
        let model = Stores::of(Arc::new(ModelStore::new(Arc::<PausedClock>::clone(&clock))));
        let faults = Arc::new(FaultStore::new(model));
        let bench = Bench::on(clock, Stores::of(Arc::clone(&faults)), Asks::new(12, 3));
        let job = bench.submit(job()).await;
        faults.fail_every(Verb::Commit, 3, fault);
        faults.fail_every(Verb::Heartbeat, 2, fault);
        let status = bench.drive(job).await;
        assert_eq!(status.run.state, State::Succeeded);
        assert_eq!(bench.provider.count(), 12);
        assert_eq!(bench.entries(job, EntryKind::Settled).await, 12);
    }
}

#[tokio::test(start_paused = true)]
async fn a_claim_whose_reply_was_lost_is_handed_back_and_claimed_again() {
    let clock = Arc::new(PausedClock::new());
    let model = Stores::of(Arc::new(ModelStore::new(Arc::<PausedClock>::clone(&clock))));
    let faults = Arc::new(FaultStore::new(model));
    let bench = Bench::on(clock, Stores::of(Arc::clone(&faults)), Asks::new(1, 1));
    let job = bench.submit(job()).await;
    faults.fail(Verb::Claim, 1, Fault::After);
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Succeeded);
    assert_eq!(status.run.streaks.lease_losses, 0, "nobody waited for the lease to lapse");
}

#[tokio::test(start_paused = true)]
async fn a_claim_whose_reply_is_late_is_not_handed_back() {
    let clock = Arc::new(PausedClock::new());
    let model = Stores::of(Arc::new(ModelStore::new(Arc::<PausedClock>::clone(&clock))));
    let faults = Arc::new(FaultStore::new(model));
    let bench = Bench::on(clock, Stores::of(Arc::clone(&faults)), Asks::new(1, 1));
    let job = bench.submit(job()).await;
    // After a claim without an answer, heartbeats look for what it took: two of them come before the reply.
    faults.fail(Verb::Claim, 1, Fault::Before);
    faults.fail(Verb::Claim, 2, Fault::Slow(bench.config.lease_for * 6 / 10));
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Succeeded);
    assert!(faults.calls_of(Verb::Heartbeat) >= 2);
    assert_eq!(faults.calls_of(Verb::Claim), 2);
    assert!(!bench.events(job).await.contains(&"handed_back".to_owned()));
}
