//! Pause, resume and cancel from a second terminal.

use std::collections::BTreeSet;
use std::time::Duration;

use koinon_e2e::{Asked, Audit, Ended, Koinon, Process, Reply, Server, Store};
use tokio::time::Instant;

on_each_store! {
    a_pause_from_a_second_terminal_stands_still_and_resumes
    a_pause_ends_calls_that_do_not_end_by_themselves
    a_cancel_from_a_second_terminal_is_for_good
    a_cancel_ends_calls_that_do_not_end_by_themselves
    a_cancel_after_success_is_refused
    a_job_that_nobody_runs_pauses_and_is_cancelled_at_once
}

/// `flush_for`, by default, and the three seconds in which a request is noticed.
const FLUSHED_WITHIN: Duration = Duration::from_secs(5 + 3);
const MICROS_A_SECOND: i64 = 1_000_000;

/// A job that is under way in one process.
struct Driven {
    koinon: Koinon,
    server: Server,
    args: Vec<String>,
    process: Process,
    job: String,
}

/// Starts a job of 200 items, and waits until it has some of them.
async fn drive(store: Store, delay: Duration, items_first: usize) -> Driven {
    let koinon = Koinon::on(store).having_corpus(200);
    let server = Server::start(move |asked: &Asked| Reply::answer(asked).after(delay)).await;
    let args = Koinon::dataset(&server, &["--set", "target=200"]);
    let process = koinon.start(&args);
    server.until_asked(items_first).await;
    let job = koinon.job().await;
    Driven { koinon, server, args, process, job }
}

/// Asks from a second process; returns the end of the first one.
async fn ask(
    driven: Driven,
    verb: &str,
    states: [&str; 2],
) -> (Koinon, Server, Vec<String>, Ended) {
    let Driven { koinon, server, args, process, job } = driven;

    let asked = koinon.run(&["--json", "job", verb, &job]).await.with_code(0);
    let asked_at = Instant::now();

    let state = asked.json()["state"].as_str().unwrap().to_owned();
    assert!(states.contains(&state.as_str()), "{asked}");
    let read = Audit::of(&koinon).await;
    assert!(states.contains(&read.standing.state.as_str()), "{:#?}", read.standing);
    let told = read.events.iter().rfind(|event| event.to.as_deref() == Some(states[0])).unwrap();
    let told_at = told.at;
    let ended = process.ended_within(FLUSHED_WITHIN.saturating_sub(asked_at.elapsed())).await;
    let audit = Audit::of(&koinon).await;
    assert_eq!(audit.standing.state, states[1]);
    let last = server.requests().iter().map(|one| one.asked.at_us).max().unwrap();
    assert!(last < told_at + 3 * MICROS_A_SECOND, "a request started later");
    (koinon, server, args, ended)
}

async fn a_pause_from_a_second_terminal_stands_still_and_resumes(store: Store) {
    let driven = drive(store, Duration::from_millis(150), 10).await;
    let job = driven.job.clone();

    let (koinon, server, args, ended) = ask(driven, "pause", ["pausing", "paused"]).await;

    assert_eq!(ended.json_with_code(3)["state"], "paused");
    let count = server.count();
    assert!(count < 200, "the pause came too late to show anything");
    let audit = Audit::of(&koinon).await;
    assert!(audit.entries("in_doubt").is_empty());
    assert_eq!(audit.standing.attempt, 0);
    let again = koinon.run(&["--json", "job", "pause", &job]).await.json_with_code(0);
    assert_eq!(again["state"], "paused", "a repeated request is accepted");
    assert_eq!(server.count(), count);

    let resumed = koinon.run(&["--json", "job", "resume", &job]).await.json_with_code(0);
    assert_eq!(resumed["state"], "queued", "resuming only queues");
    let _finished = koinon.run(&args).await.with_code(0);
    let log = server.requests();
    let keys: BTreeSet<_> = log.iter().map(|one| &one.asked.key).collect();
    assert_eq!((keys.len(), log.len()), (200, 200));
}

async fn a_pause_ends_calls_that_do_not_end_by_themselves(store: Store) {
    let driven = drive(store, Duration::from_secs(600), 4).await;

    let (koinon, server, _, ended) = ask(driven, "pause", ["pausing", "paused"]).await;

    let _ended = ended.with_code(3);
    assert_eq!(server.count(), 4);
    assert_eq!(Audit::of(&koinon).await.entries("in_doubt").len(), 4);
}

async fn a_cancel_from_a_second_terminal_is_for_good(store: Store) {
    let driven = drive(store, Duration::from_millis(150), 10).await;
    let job = driven.job.clone();

    let (koinon, server, args, ended) = ask(driven, "cancel", ["cancelling", "cancelled"]).await;

    assert_eq!(ended.json_with_code(4)["state"], "cancelled");
    let count = server.count();
    assert!(count < 200, "the cancel came too late to show anything");
    let _again = koinon.run(&["job", "cancel", &job]).await.with_code(0);
    let _stays = koinon.run(&args).await.with_code(4);
    assert_eq!(server.count(), count);
    let refused = koinon.run(&["--json", "job", "resume", &job]).await.json_with_code(1);
    assert_eq!(refused["error_code"], "illegal_transition");

    let again: Vec<_> = args.iter().map(String::as_str).chain(["--again"]).collect();
    let anew = koinon.run(&again).await.json_with_code(0);
    assert_ne!(anew["job_id"].as_str(), Some(job.as_str()), "--again submits a new job");
    assert_eq!(server.count(), count + 200);
    assert_eq!(Audit::all(&koinon).await.len(), 2);
}

async fn a_cancel_ends_calls_that_do_not_end_by_themselves(store: Store) {
    let driven = drive(store, Duration::from_secs(600), 4).await;

    let (koinon, server, _, ended) = ask(driven, "cancel", ["cancelling", "cancelled"]).await;

    let _ended = ended.with_code(4);
    assert_eq!(server.count(), 4);
    assert_eq!(Audit::of(&koinon).await.entries("in_doubt").len(), 4);
}

async fn a_cancel_after_success_is_refused(store: Store) {
    let (koinon, server) = (Koinon::on(store).having_corpus(5), Server::answering().await);
    let args = Koinon::dataset(&server, &["--set", "target=5"]);
    let _done = koinon.run(&args).await.with_code(0);
    let job = koinon.job().await;

    let refused = koinon.run(&["--json", "job", "cancel", &job]).await.json_with_code(1);

    assert_eq!(refused["error_code"], "illegal_transition");
    assert_eq!(Audit::of(&koinon).await.standing.state, "succeeded");
    let status = koinon.json(&["--json", "job", "status", &job]).await;
    assert_eq!(status["state"], "succeeded");
}

async fn a_job_that_nobody_runs_pauses_and_is_cancelled_at_once(store: Store) {
    let (koinon, server) = (Koinon::on(store).having_corpus(5), Server::answering().await);
    let mut submit = Koinon::dataset(&server, &["--set", "target=5"]);
    submit.retain(|word| word != "--out" && word != "out");
    submit[1] = "submit".to_owned();
    let submitted = koinon.run(&submit).await.json_with_code(0);
    let job = submitted["job_id"].as_str().unwrap();

    let paused = koinon.run(&["--json", "job", "pause", job]).await.json_with_code(0);
    assert_eq!(paused["state"], "paused");
    let idle = koinon.run(&["worker", "--once", "--base-url", &server.base_url()]).await;
    assert_eq!((idle.code, server.count()), (Some(0), 0), "{idle}");
    let cancelled = koinon.run(&["--json", "job", "cancel", job]).await.json_with_code(0);
    assert_eq!(cancelled["state"], "cancelled");
    let missing = "00000000-0000-7000-8000-000000000000";
    let nothing = koinon.run(&["--json", "job", "cancel", missing]).await.json_with_code(1);
    assert_eq!(nothing["error_code"], "not_found");
}
