//! Ctrl-C and its like: the job is handed back, and nothing is lost.

use std::collections::BTreeSet;
use std::time::Duration;

use koinon_e2e::{Asked, Audit, Dataset, Koinon, Reply, Server, Signal, Store};

on_each_store! {
    ctrl_c_hands_the_job_back
    calls_that_do_not_end_are_left_in_doubt_after_ctrl_c
    a_signal_before_the_first_call_loses_nothing
    ctrl_c_of_a_follower_leaves_the_driver_alone
}

const TEN_SECONDS: Duration = Duration::from_secs(10);

async fn server_taking(delay: Duration) -> Server {
    Server::start(move |asked: &Asked| Reply::answer(asked).after(delay)).await
}

async fn a_signal_hands_the_job_back(store: Store, signal: Signal) {
    let koinon = Koinon::on(store).having_corpus(100);
    let server = server_taking(Duration::from_millis(300)).await;
    let args = Koinon::dataset(&server, &["--set", "target=100"]);
    let process = koinon.start(&args);
    server.until_answered(6).await;

    process.signal(signal);
    let ended = process.ended_within(TEN_SECONDS).await.with_code(130);

    let report = ended.json();
    assert_eq!((&report["state"], &report["attempt"]), (&"queued".into(), &0.into()));
    let audit = Audit::of(&koinon).await;
    assert_eq!((audit.standing.state.as_str(), audit.standing.attempt), ("queued", 0));
    assert!(audit.entries("in_doubt").is_empty(), "the calls under way had time to end");
    assert_eq!(audit.entries("settled").len(), server.count());

    let finished = koinon.run(&args).await.json_with_code(0);
    assert_eq!(finished["job_id"], report["job_id"]);
    let log = server.requests();
    let keys: BTreeSet<_> = log.iter().map(|one| &one.asked.key).collect();
    assert_eq!((keys.len(), log.len()), (100, 100), "nothing is asked twice");
    Dataset::read(&koinon, "out");
    Audit::of(&koinon).await;
}

async fn ctrl_c_hands_the_job_back(store: Store) {
    a_signal_hands_the_job_back(store, Signal::INT).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_hands_the_job_back() {
    a_signal_hands_the_job_back(Store::Sqlite, Signal::TERM).await;
}

async fn calls_that_do_not_end_are_left_in_doubt_after_ctrl_c(store: Store) {
    let koinon = Koinon::on(store).having_corpus(20);
    let server = server_taking(Duration::from_secs(600)).await;
    let process = koinon.start(&Koinon::dataset(&server, &["--set", "target=20"]));
    server.until_asked(4).await;

    process.signal(Signal::INT);
    let _ended = process.ended_within(TEN_SECONDS).await.with_code(130);

    assert_eq!(server.count(), 4);
    let audit = Audit::of(&koinon).await;
    assert_eq!((audit.standing.state.as_str(), audit.standing.attempt), ("queued", 0));
    assert_eq!(audit.entries("in_doubt").len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_ctrl_c_ends_at_once() {
    let koinon = Koinon::with_corpus(20);
    let server = server_taking(Duration::from_secs(600)).await;
    let process = koinon.start(&Koinon::dataset(&server, &["--set", "target=20"]));
    server.until_asked(4).await;

    process.signal(Signal::INT);
    // Signals of one kind that arrive together count as one.
    tokio::time::sleep(Duration::from_millis(300)).await;
    process.signal(Signal::INT);
    let _ended = process.ended_within(Duration::from_secs(2)).await.with_code(130);

    let audit = Audit::of(&koinon).await;
    assert_eq!(audit.entries("reserved").len(), 4, "what was reserved stays on the ledger");
}

async fn a_signal_before_the_first_call_loses_nothing(store: Store) {
    let koinon = Koinon::on(store).having_corpus(10).env("KOINON_OPERATIONS__LEASE_FOR", "2s");
    let server = Server::answering().await;
    let args = Koinon::dataset(&server, &["--set", "target=10"]);
    for millis in [1, 5, 10, 20, 40, 80] {
        let mut process = koinon.start(&args);
        tokio::time::sleep(Duration::from_millis(millis)).await;
        if !process.has_ended() {
            process.signal(Signal::INT);
        }
        let ended = process.ended_within(TEN_SECONDS).await;
        // Before it listens, the signal ends the process as it would any other.
        assert!(matches!(ended.code, Some(0 | 130) | None), "{ended}");
    }
    let _finished = koinon.run(&args).await.with_code(0);
    assert_eq!(server.count(), 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_while_the_job_waits_for_a_retry_leaves_it_waiting() {
    let told = |asked: &Asked| match asked.number {
        0 => Reply::error(429, &[("retry-after", "4")], "rate_limit_exceeded"),
        _ => Reply::answer(asked),
    };
    let (koinon, server) = (Koinon::with_corpus(5), Server::start(told).await);
    let args = Koinon::dataset(&server, &["--set", "target=5", "--set", "concurrency=1"]);
    let process = koinon.start(&args);
    server.until_answered(1).await;
    tokio::time::sleep(Duration::from_millis(500)).await;

    process.signal(Signal::INT);
    let _ended = process.ended_within(TEN_SECONDS).await.with_code(130);

    assert_eq!(Audit::of(&koinon).await.standing.state, "retry_wait");
    let _finished = koinon.run(&args).await.with_code(0);
    let log = server.requests();
    let waited_us = log[1].asked.at_us - log[0].asked.at_us;
    assert!(waited_us >= 4_000_000, "a new start does not shorten the wait: {waited_us}");
}

async fn ctrl_c_of_a_follower_leaves_the_driver_alone(store: Store) {
    let koinon = Koinon::on(store).having_corpus(40);
    let server = server_taking(Duration::from_millis(200)).await;
    let args = Koinon::dataset(&server, &["--set", "target=40"]);
    let driver = koinon.start(&args);
    server.until_asked(4).await;
    let follower = koinon.start(&args);
    tokio::time::sleep(Duration::from_millis(500)).await;

    follower.signal(Signal::INT);
    let _ended = follower.ended_within(TEN_SECONDS).await.with_code(130);
    let report = driver.ended_within(TEN_SECONDS).await.json_with_code(0);

    assert_eq!((&report["generation"], server.count()), (&1.into(), 40));
}
