//! What has ended goes after a while, and what others need stays.

use std::fs::{self, File};
use std::net::TcpListener;
use std::time::Duration;

use koinon_e2e::{Asked, Koinon, Reply, Server, Signal, Store};
use serde_json::Value;

on_each_store! {
    old_jobs_go_and_what_others_need_stays
    a_prune_that_is_killed_leaves_whole_jobs
    a_worker_prunes_by_itself
    what_a_stage_in_flight_has_stored_survives_a_sweep
    blobs_stay_where_another_database_keeps_some
    a_datasource_that_is_down_is_named_and_keeps_every_blob
}

const LEDGER_SQLITE: &str =
    "SELECT json_array(kind, cost_nano_usd, calls) FROM ledger ORDER BY entry_no";
const LEDGER_POSTGRES: &str =
    "SELECT json_build_array(kind, cost_nano_usd, calls)::text FROM ledger ORDER BY entry_no";

async fn server() -> Server {
    Server::start(|asked: &Asked| Reply::answer(asked)).await
}

fn keeping_a_day(store: Store) -> Koinon {
    Koinon::on(store)
        .having_corpus(6)
        .env("KOINON_RETENTION__DEFAULT__SUCCEEDED_FOR", "24h")
        .env("KOINON_RETENTION__ORPHANS_FOR", "24h")
}

fn blobs_of(koinon: &Koinon) -> usize {
    let files = koinon.files(".koinon/artifacts");
    files.keys().filter(|name| name.starts_with("sha256")).count()
}

async fn ledger(koinon: &Koinon) -> Vec<String> {
    koinon.place().ask(LEDGER_SQLITE, LEDGER_POSTGRES).await
}

/// The rows of jobs that are not whole: a history without its job, or a job without either.
async fn torn(koinon: &Koinon) -> Vec<String> {
    let sqlite = "SELECT lower(hex(job_id)) FROM job_events WHERE job_id NOT IN (SELECT job_id FROM jobs) \
                  UNION SELECT lower(hex(job_id)) FROM jobs \
                  WHERE job_id NOT IN (SELECT job_id FROM job_events) \
                  OR job_id NOT IN (SELECT job_id FROM standings)";
    let postgres = "SELECT job_id::text FROM job_events WHERE job_id NOT IN (SELECT job_id FROM jobs) \
                    UNION SELECT job_id::text FROM jobs \
                    WHERE job_id NOT IN (SELECT job_id FROM job_events) \
                    OR job_id NOT IN (SELECT job_id FROM standings)";
    koinon.place().ask(sqlite, postgres).await
}

/// Lets two days pass for everything that has ended, and for every blob.
async fn age(koinon: &Koinon) {
    let two_days_us = "UPDATE outcomes SET ended_at = ended_at - 172800000000";
    let two_days = "UPDATE outcomes SET ended_at = ended_at - interval '2 days'";
    koinon.place().write(two_days_us, two_days).await;
    age_blobs(koinon, Duration::from_hours(48));
}

/// Lets time pass for every blob.
fn age_blobs(koinon: &Koinon, time: Duration) {
    let mut folders = vec![koinon.path(".koinon/artifacts")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let file = File::options().write(true).open(path).unwrap();
            let written_at = file.metadata().unwrap().modified().unwrap();
            file.set_modified(written_at - time).unwrap();
        }
    }
}

fn jobs_in(pruned: &Value) -> u64 {
    pruned["queues"].as_array().unwrap().iter().map(|one| one["jobs"].as_u64().unwrap()).sum()
}

/// Submits a dataset of the same documents that nobody has run yet.
async fn submit(koinon: &Koinon, server: &Server, seed: &str) {
    let mut submit = Koinon::dataset(server, &["--set", "target=6", "--set", seed]);
    submit[1] = "submit".to_owned();
    submit.retain(|word| word != "--out" && word != "out");
    let _queued = koinon.run(&submit).await.with_code(0);
}

async fn old_jobs_go_and_what_others_need_stays(store: Store) {
    let (koinon, server) = (keeping_a_day(store), server().await);
    let args = Koinon::dataset(&server, &["--set", "target=6"]);
    let old = koinon.run(&args).await.json_with_code(0);
    age(&koinon).await;
    // The same documents, so that its sources are blobs which the old job names too.
    submit(&koinon, &server, "seed=7").await;
    age(&koinon).await;
    let (before, blobs) = (ledger(&koinon).await, blobs_of(&koinon));

    let would = koinon.json(&["prune", "--dry-run", "--json"]).await;
    assert_eq!((jobs_in(&would), &would["dry_run"]), (1, &true.into()), "{would}");
    assert_eq!(blobs_of(&koinon), blobs);
    let list = koinon.json(&["job", "list", "--json"]).await;
    assert_eq!(list["jobs"].as_array().unwrap().len(), 2, "a dry run changes nothing");

    let went = koinon.json(&["prune", "--json"]).await;
    for what in ["queues", "blobs", "blob_bytes"] {
        assert_eq!(went[what], would[what], "a dry run says what goes");
    }
    let gone = usize::try_from(went["blobs"].as_u64().unwrap()).unwrap();
    assert!(gone > 0, "{went}");
    assert_eq!(blobs_of(&koinon), blobs - gone);
    let id = old["job_id"].as_str().unwrap();
    let status = koinon.run(&["job", "status", id, "--json"]).await.json_with_code(1);
    assert_eq!(status["error_code"], "not_found");
    assert_eq!(ledger(&koinon).await, before, "the ledger stays");
    assert_eq!(torn(&koinon).await, [""; 0]);

    let work = ["worker", "--once", "--base-url", &server.base_url(), "--prices", "prices.toml"];
    let _worked = koinon.run(&work).await.with_code(0);
    let list = koinon.json(&["job", "list", "--json"]).await;
    assert_eq!(list["jobs"][0]["state"], "succeeded", "its sources are still there: {list}");
    assert_eq!(jobs_in(&koinon.json(&["prune", "--json"]).await), 0, "a young job stays");
    // The same request makes a new job, which is paid for anew.
    let again = koinon.run(&args).await.json_with_code(0);
    assert_ne!(again["job_id"], old["job_id"]);
    assert_eq!(again["output"], old["output"]);
}

async fn a_prune_that_is_killed_leaves_whole_jobs(store: Store) {
    let (koinon, server) = (keeping_a_day(store), server().await);
    for seed in 0..4 {
        submit(&koinon, &server, &format!("seed={seed}")).await;
    }
    let work = ["worker", "--once", "--base-url", &server.base_url(), "--prices", "prices.toml"];
    let _worked = koinon.run(&work).await.with_code(0);
    age(&koinon).await;
    let before = ledger(&koinon).await;
    for round in 0..6 {
        let pruning = koinon.start(&["prune"]);
        tokio::time::sleep(Duration::from_millis(40 * round)).await;
        let _may_have_ended = pruning.kill().await;
        assert_eq!(torn(&koinon).await, [""; 0]);
        assert_eq!(ledger(&koinon).await, before);
    }
    let _rest = koinon.run(&["prune"]).await.with_code(0);
    let list = koinon.json(&["job", "list", "--json"]).await;
    assert_eq!(list["jobs"].as_array().unwrap().len(), 0);
    assert_eq!((torn(&koinon).await, ledger(&koinon).await), (Vec::new(), before));
    assert_eq!(blobs_of(&koinon), 0, "nothing names a blob any more");
}

async fn a_worker_prunes_by_itself(store: Store) {
    let (koinon, server) = (keeping_a_day(store), server().await);
    let args = Koinon::dataset(&server, &["--set", "target=6"]);
    let _old = koinon.run(&args).await.with_code(0);
    age(&koinon).await;
    let workers = [(); 3].map(|()| koinon.start(&["worker"]));
    let looked = async {
        while koinon.json(&["job", "list", "--json"]).await["jobs"] != serde_json::json!([]) {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(90), looked).await.unwrap();
    for worker in workers {
        assert!(worker.kill().await);
    }
    assert_eq!(torn(&koinon).await, [""; 0]);
}

async fn what_a_stage_in_flight_has_stored_survives_a_sweep(store: Store) {
    let never = |asked: &Asked| Reply::answer(asked).after(Duration::from_secs(600));
    let server = Server::start(never).await;
    let koinon = Koinon::on(store).having_corpus(6).env("KOINON_RETENTION__ORPHANS_FOR", "1h");
    let running = koinon.start(&Koinon::dataset(&server, &["--set", "target=6"]));
    server.until_asked(1).await;
    // As a stage would that takes long between what it stores and its commit.
    let blob = format!(".koinon/artifacts/sha256/ab/{}", "0".repeat(62));
    koinon.write(&blob, b"the half of a result");
    let before = blobs_of(&koinon);
    // Two hours after the blob was stored, and three after the claim.
    age_blobs(&koinon, Duration::from_hours(2));
    let three_hours_us = "DROP TRIGGER job_events_are_not_rewritten; \
                          UPDATE job_events SET at = at - 10800000000 WHERE to_state = 'leased'";
    let three_hours = "SET session_replication_role = replica; \
                       UPDATE job_events SET at = at - interval '3 hours' WHERE to_state = 'leased'";
    koinon.place().write(three_hours_us, three_hours).await;

    let swept = koinon.json(&["prune", "--json"]).await;
    assert_eq!((&swept["blobs"], blobs_of(&koinon)), (&0.into(), before), "{swept}");
    assert!(koinon.path(&blob).exists());

    running.signal(Signal::INT);
    let _handed_back = running.ended_within(Duration::from_secs(90)).await.with_code(130);
    let swept = koinon.json(&["prune", "--json"]).await;
    assert!(!koinon.path(&blob).exists(), "nobody can name it any more: {swept}");
    assert_eq!(blobs_of(&koinon), before - 1, "what the job names stays: {swept}");
}

async fn blobs_stay_where_another_database_keeps_some(store: Store) {
    let (koinon, server) = (keeping_a_day(store), server().await);
    let args = Koinon::dataset(&server, &["--set", "target=6"]);
    let _old = koinon.run(&args).await.with_code(0);
    let other = ["--database", "sqlite://other.db"];
    let elsewhere: Vec<String> = other.iter().map(|&arg| arg.to_owned()).chain(args).collect();
    let _theirs = koinon.run(&elsewhere).await.with_code(0);
    age(&koinon).await;
    let blobs = blobs_of(&koinon);
    for database in [&[][..], &other[..]] {
        let swept = koinon.json(&[database, &["prune", "--json"]].concat()).await;
        assert_eq!((&swept["blobs"], &swept["other_databases"]), (&0.into(), &1.into()), "{swept}");
    }
    assert_eq!(blobs_of(&koinon), blobs);
}

async fn a_datasource_that_is_down_is_named_and_keeps_every_blob(store: Store) {
    let (koinon, server) = (keeping_a_day(store), server().await);
    let args = Koinon::dataset(&server, &["--set", "target=6"]);
    let _old = koinon.run(&args).await.with_code(0);
    age(&koinon).await;
    let blobs = blobs_of(&koinon);
    // Where a moment ago a port was free, nobody listens.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let down = format!("postgres://nobody@{free}/none");
    let koinon = koinon.env("KOINON_DATASOURCES__DOCUMENT_CONTROL__URL", &down);
    let koinon = koinon.env("KOINON_STORE__BUSY_FOR", "200ms");
    let swept = koinon.run(&["prune", "--json"]).await.json_with_code(1);
    assert_eq!(swept["unavailable"], serde_json::json!(["document_control"]), "{swept}");
    assert_eq!((jobs_in(&swept), blobs_of(&koinon)), (1, blobs), "{swept}");

    let koinon = koinon.env("KOINON_DATASOURCES__DOCUMENT_CONTROL__URL", "sqlite://documents.db");
    let swept = koinon.json(&["prune", "--json"]).await;
    assert_eq!(blobs_of(&koinon), 0, "nothing names a blob any more: {swept}");
}
