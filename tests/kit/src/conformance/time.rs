//! The store's time.

use std::time::Duration;

use koinon_domain::WorkerId;
use koinon_store::{Clock as _, PeekRequest};

use crate::{Case, LEASE, ManualClock, commit, job};

const HOUR: Duration = Duration::from_hours(1);

async fn store_time(case: &Case, owner: WorkerId) -> koinon_domain::Timestamp {
    let request = PeekRequest { owner, queues: Vec::new() };
    case.stores.leases.peek(&request).await.unwrap().now
}

pub async fn the_time_of_the_store_never_goes_backwards(case: &Case) {
    case.clock.advance(HOUR);
    let held = case.running(job()).await;
    let latest = case.clock.now();
    case.clock.set_back(HOUR);
    case.applied(commit(&held).checkpoint("a")).await;
    let late = case.submit(job()).await;
    let events = case.events(held.job).await;
    assert!(events.is_sorted_by_key(|event| event.at));
    assert_eq!(events.last().unwrap().at, latest);
    assert_eq!(case.status(late).await.spec.submitted_at, latest);
    assert!(store_time(case, held.owner).await >= latest);
}

pub async fn a_clock_that_was_set_back_takes_no_lease_away(case: &Case) {
    let held = case.running(job()).await;
    case.clock.set_back(HOUR);
    assert_eq!(case.recover().await.expired, []);
    case.applied(commit(&held).hold(&case.hold("a", "0.01"))).await;
    case.clock.set(ManualClock::START.after(LEASE / 2));
    assert_eq!(case.recover().await.expired, []);
}

pub async fn a_clock_that_was_set_back_makes_no_run_time(case: &Case) {
    let held = case.running(job()).await;
    case.clock.advance(Duration::from_secs(5));
    case.applied(commit(&held).checkpoint("a")).await;
    case.clock.set_back(HOUR);
    case.applied(commit(&held).checkpoint("b")).await;
    case.clock.set(ManualClock::START.after(Duration::from_secs(6)));
    case.applied(commit(&held).checkpoint("c")).await;
    assert_eq!(case.run(held.job).await.balance.run_for, Duration::from_secs(6));
}

pub async fn entries_and_checkpoints_bear_the_time_of_their_commit(case: &Case) {
    let held = case.running(job()).await;
    case.clock.advance(Duration::from_micros(1));
    let hold = case.hold("a", "0.01");
    case.applied(commit(&held).hold(&hold).checkpoint("b")).await;
    let now = case.clock.now();
    assert_eq!(case.entries(held.job).await[0].at, now);
    assert_eq!(case.checkpoints(held.job, &crate::stage("generate")).await[0].at, now);
    assert_eq!(case.events(held.job).await.pop().unwrap().at, now);
}
