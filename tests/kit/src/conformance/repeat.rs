//! Commits whose reply was lost, and that are sent again.

use std::time::Duration;

use koinon_domain::{CommitNo, Control, State};
use koinon_store::{Fenced, Signal};

use crate::{Case, Held, LEASE, commit, job};

pub async fn a_repeated_commit_is_applied_and_writes_nothing(case: &Case) {
    let held = case.running(job().budget("1")).await;
    let hold = case.hold("a", "0.5");
    let first = commit(&held).hold(&hold).items(2).checkpoint("b").note("seen", &[]).build();
    case.applied(first.clone()).await;
    let before = case.snapshot(held.job).await;
    case.clock.advance(Duration::from_secs(1));
    assert_eq!(case.applied(first).await, Signal::Continue);
    assert_eq!(case.snapshot(held.job).await, before);
}

pub async fn a_repeated_settlement_is_booked_once(case: &Case) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.5");
    case.applied(commit(&held).hold(&hold)).await;
    let settle = commit(&held).settle(hold.id, "0.4").checkpoint("a").build();
    for _ in 0..3 {
        case.applied(settle.clone()).await;
    }
    assert_eq!(case.entries(held.job).await.len(), 2);
    assert_eq!(case.run(held.job).await.balance.spent.cost, "0.4".parse().unwrap());
}

pub async fn a_repeat_of_an_earlier_commit_of_the_claim_is_applied_too(case: &Case) {
    let held = case.running(job()).await;
    let early = commit(&held).checkpoint("a").build();
    case.applied(early.clone()).await;
    case.applied(commit(&held).checkpoint("b")).await;
    let before = case.snapshot(held.job).await;
    case.applied(early).await;
    assert_eq!(case.snapshot(held.job).await, before);
}

pub async fn a_repeat_of_the_commit_that_ended_the_claim_is_applied(case: &Case) {
    let endings = [
        |held: &Held| commit(held).succeed(),
        |held: &Held| commit(held).fail(),
        |held: &Held| commit(held).retry_after(Duration::from_secs(1)),
        |held: &Held| commit(held).hand_back(),
    ];
    for end in endings {
        let held = case.running(job()).await;
        let last = end(&held).checkpoint("a").build();
        case.applied(last.clone()).await;
        let before = case.snapshot(held.job).await;
        case.applied(last).await;
        assert_eq!(case.snapshot(held.job).await, before);
    }
}

pub async fn a_repeat_is_applied_until_a_later_generation_has_committed(case: &Case) {
    let first = case.running(job()).await;
    let last = commit(&first).checkpoint("a").build();
    case.applied(last.clone()).await;
    case.lose_leases().await;
    case.applied(last.clone()).await;
    let second = case.take(first.job).await;
    case.applied(last.clone()).await;
    case.applied(commit(&second).start()).await;
    case.stale(last).await;
}

pub async fn a_repeat_after_the_end_survives_the_retry_of_the_job(case: &Case) {
    let held = case.running(job()).await;
    let last = commit(&held).fail().build();
    case.applied(last.clone()).await;
    case.control(held.job, Control::Retry).await;
    let before = case.snapshot(held.job).await;
    case.applied(last).await;
    assert_eq!(case.snapshot(held.job).await, before);
    assert_eq!(case.state(held.job).await, State::Queued);
}

pub async fn a_repeat_brings_requests_to_stop(case: &Case) {
    let held = case.running(job()).await;
    let sent = commit(&held).checkpoint("a").build();
    case.applied(sent.clone()).await;
    case.control(held.job, Control::Pause).await;
    assert_eq!(case.applied(sent).await, Signal::Pause);
}

pub async fn a_refused_commit_may_be_sent_again_under_its_number(case: &Case) {
    let held = case.running(job().budget("1")).await;
    let hold = case.hold("a", "2");
    let dear = commit(&held).hold(&hold).build();
    case.refused(dear.clone()).await;
    let mut cheap = dear;
    cheap.holds[0].held.cost = "1".parse().unwrap();
    case.applied(cheap).await;
    assert_eq!(case.entries(held.job).await.len(), 1);
}

pub async fn a_commit_that_arrives_after_its_successor_writes_nothing(case: &Case) {
    let held = case.running(job()).await;
    let early = commit(&held).checkpoint("a").build();
    let late = commit(&held).checkpoint("b").build();
    case.applied(late).await;
    let before = case.snapshot(held.job).await;
    let answer = case.commit(early).await.unwrap();
    assert!(matches!(answer, Fenced::Applied(_)));
    assert_eq!(case.snapshot(held.job).await, before);
}

pub async fn the_number_of_the_last_commit_is_kept(case: &Case) {
    let held = case.running(job()).await;
    case.applied(commit(&held).checkpoint("a")).await;
    let wanted = Some((held.generation, CommitNo::new(2)));
    assert_eq!(case.run(held.job).await.last_commit, wanted);
    case.applied(commit(&held).succeed()).await;
    let wanted = Some((held.generation, CommitNo::new(3)));
    assert_eq!(case.run(held.job).await.last_commit, wanted);
    case.clock.advance(LEASE);
}
