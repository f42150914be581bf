//! Rows that somebody spoilt by hand: they are set aside, and stand in nobody's way.

use std::time::Duration;

use koinon_e2e::{Asked, Koinon, Reply, Server, Signal, Store};
use serde_json::Value;

on_each_store! {
    a_spoilt_row_is_set_aside_and_a_repaired_one_is_taken_up_again
}

const PATIENCE: Duration = Duration::from_secs(60);

/// The jobs that are set aside, in the order of their submission.
async fn set_aside(koinon: &Koinon) -> Vec<String> {
    let sqlite =
        "SELECT lower(hex(job_id)) FROM runs WHERE set_aside_at IS NOT NULL ORDER BY job_id";
    let postgres = "SELECT replace(job_id::text, '-', '') FROM runs
        WHERE set_aside_at IS NOT NULL ORDER BY job_id";
    koinon.place().ask(sqlite, postgres).await
}

async fn until_succeeded(koinon: &Koinon, count: usize) {
    let waited = async {
        let statement = "SELECT state FROM outcomes WHERE state = 'succeeded'";
        while koinon.place().ask(statement, statement).await.len() < count {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let in_time = tokio::time::timeout(PATIENCE, waited).await.is_ok();
    let states = "SELECT state FROM standings ORDER BY job_id";
    let told = "SELECT name FROM job_events ORDER BY job_id, seq";
    let (states, told) =
        (koinon.place().ask(states, states).await, koinon.place().ask(told, told).await);
    assert!(in_time, "{count} have not succeeded: {states:?}, {told:?}");
}

/// Spoils the run of the first job, and the authority of the second.
async fn spoil(koinon: &Koinon) {
    let run = "UPDATE runs SET interruptions = -1
        WHERE job_id = (SELECT job_id FROM jobs ORDER BY job_id LIMIT 1);
        CREATE TABLE kept AS SELECT job_id, authority FROM jobs ORDER BY job_id LIMIT 1 OFFSET 1;";
    let job = "UPDATE jobs SET authority = '{\"principal\": 7}' WHERE job_id = (SELECT job_id FROM kept);";
    let sqlite = format!("{run} DROP TRIGGER jobs_are_immutable; {job}");
    let postgres = format!("{run} ALTER TABLE jobs DISABLE TRIGGER jobs_are_immutable; {job}");
    koinon.place().write(sqlite.leak(), postgres.leak()).await;
}

async fn repair(koinon: &Koinon) {
    let both = "UPDATE runs SET interruptions = 0 WHERE interruptions < 0;
        UPDATE jobs SET authority = (SELECT authority FROM kept) WHERE job_id = (SELECT job_id FROM kept)";
    koinon.place().write(both, both).await;
}

async fn events_of(koinon: &Koinon, job: &str) -> Vec<String> {
    let told = koinon.run(&["--json", "job", "events", job]).await;
    // One that cannot be read has no status, but a history.
    let events: Value = serde_json::from_str(&told.stdout).unwrap_or_default();
    let events = events["events"].as_array().cloned().unwrap_or_default();
    events.iter().map(|event| event["name"].as_str().unwrap_or_default().to_owned()).collect()
}

async fn a_spoilt_row_is_set_aside_and_a_repaired_one_is_taken_up_again(store: Store) {
    let koinon = Koinon::on(store)
        .having_corpus(2)
        .env("KOINON_OPERATIONS__LEASE_FOR", "1s")
        .env("KOINON_OPERATIONS__ADMISSION__WORKER_CAPACITY", "3");
    // The first three calls are never answered.
    let late = |asked: &Asked| match asked.number {
        0..3 => Reply::answer(asked).after(Duration::from_secs(600)),
        _ => Reply::answer(asked),
    };
    let server = Server::start(late).await;
    let mut jobs = Vec::new();
    for number in 0..3 {
        let seed = format!("seed={number}");
        let more = ["--set", "target=2", "--set", "concurrency=1", "--set", &seed];
        let mut submit = Koinon::dataset(&server, &more);
        submit[1] = "submit".to_owned();
        submit.retain(|word| word != "--out" && word != "out");
        let submitted = koinon.run(&submit).await.json_with_code(0);
        jobs.push(submitted["job_id"].as_str().unwrap().to_owned());
    }
    let base_url = server.base_url();
    let work = ["worker", "--base-url", &base_url, "--prices", "prices.toml"];
    let killed = koinon.start(&work);
    server.until_asked(3).await;
    assert!(killed.kill().await);
    spoil(&koinon).await;

    let worker = koinon.start(&work);
    until_succeeded(&koinon, 1).await;

    let spoilt = [jobs[0].replace('-', ""), jobs[1].replace('-', "")];
    let both = async {
        while set_aside(&koinon).await != spoilt {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let are_aside = tokio::time::timeout(PATIENCE, both).await.is_ok();
    assert!(are_aside, "{:?} are set aside, not {spoilt:?}", set_aside(&koinon).await);
    check_listing(&koinon, &jobs).await;
    for job in &jobs[..2] {
        let refused = koinon.run(&["--json", "job", "retry", job]).await.json_with_code(1);
        assert_eq!(refused["error_code"], "store_corrupt", "{refused}");
    }

    repair(&koinon).await;
    for job in &jobs[..2] {
        let _freed = koinon.run(&["job", "retry", job]).await.with_code(0);
    }
    assert_eq!(set_aside(&koinon).await, Vec::<String>::new());
    until_succeeded(&koinon, 3).await;
    for job in &jobs[..2] {
        let told = events_of(&koinon, job).await;
        let count = told.iter().filter(|name| *name == "set_aside").count();
        assert_eq!(count, 1, "{told:?}");
    }
    worker.signal(Signal::TERM);
    let _ended = worker.ended_within(PATIENCE).await.with_code(0);
}

/// The list shows the one that can be read, and names the others.
async fn check_listing(koinon: &Koinon, jobs: &[String]) {
    let ended = koinon.run(&["--json", "job", "list"]).await.with_code(0);
    let list = ended.json();
    let ids = |of: &str| -> Vec<String> {
        let of = list[of].as_array().unwrap();
        of.iter().map(|job| job["job_id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids("jobs"), jobs[2..], "{list:#}");
    assert_eq!(ids("unreadable"), [jobs[1].clone(), jobs[0].clone()], "{list:#}");
    assert_eq!(list["unreadable"][0]["error_code"], "store_corrupt");
    let shown = koinon.run(&["job", "list"]).await.with_code(0);
    assert!(shown.stdout.contains(&jobs[2]), "{shown}");
    for job in &jobs[..2] {
        assert!(shown.stderr.contains(job.as_str()), "{shown}");
    }
    // Its beginning is enough for a job, whatever stands beside it.
    let status = koinon.run(&["--json", "job", "status", &jobs[2][..32]]).await.json_with_code(0);
    assert_eq!(status["job_id"], jobs[2].as_str());
}
