//! A job that nothing disturbs.

use std::path::Path;

use koinon_e2e::{Audit, Dataset, Koinon, Server, Store};
use serde_json::{Value, json};

on_each_store! {
    a_second_run_finds_the_job_succeeded_and_leaves_the_same_bytes
    the_report_tells_what_was_done_and_what_it_cost
    the_key_goes_to_the_server_and_nowhere_else
}

/// Copies the README and the documentation of this repository, as they are, into the folder.
fn copy_documentation(koinon: &Koinon) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let mut left = vec!["README.md".to_owned(), "docs".to_owned()];
    while let Some(name) = left.pop() {
        let path = root.join(&name);
        if path.is_dir() {
            let entries = std::fs::read_dir(path).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            left.extend(names.map(|entry| format!("{name}/{entry}")));
        } else {
            koinon.write(&name, std::fs::read(path).unwrap());
        }
    }
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documentation_becomes_rows_that_stand_in_it() {
    let koinon = Koinon::new();
    copy_documentation(&koinon);
    let args = ["--json", "run", "dataset", "README.md", "docs", "--out", "out"];

    let report = koinon.run(&args).await.json_with_code(0);

    let dataset = Dataset::read(&koinon, "out");
    assert!(dataset.rows_of("train").len() >= 20, "too few rows: {report:#}");
    assert_eq!(report["output"]["rows"]["train"], dataset.rows_of("train").len());
    let mut sources = koinon.files("docs");
    sources.insert("README.md".to_owned(), std::fs::read(koinon.path("README.md")).unwrap());
    for row in dataset.rows() {
        row.check_against(&sources[row.text("path")]);
        let quote = words(row.text("quote"));
        for word in words(row.says("assistant")) {
            assert!(quote.contains(&word), "{word:?} is not in the quote: {}", row.value);
        }
    }
    Audit::of(&koinon).await;
}

async fn a_second_run_finds_the_job_succeeded_and_leaves_the_same_bytes(store: Store) {
    let (koinon, server) = (Koinon::on(store).having_corpus(24), Server::answering().await);
    let args = Koinon::dataset(&server, &["--set", "target=24"]);
    let first = koinon.run(&args).await.json_with_code(0);
    let dataset = Dataset::read(&koinon, "out");

    let again = koinon.run(&args).await.with_code(0);

    assert!(again.stderr.contains("already succeeded"), "{again}");
    let report = again.json();
    assert_eq!(report["calls_this_run"], 0, "{report:#}");
    assert_eq!(report["job_id"], first["job_id"]);
    assert_eq!(Dataset::read(&koinon, "out").files, dataset.files);
    std::fs::remove_dir_all(koinon.path("out")).unwrap();
    let _third = koinon.run(&args).await.with_code(0);
    assert_eq!(Dataset::read(&koinon, "out").files, dataset.files, "from the stored artifacts");
    assert_eq!(server.count(), 24);
    assert_eq!(Audit::of(&koinon).await.entries("settled").len(), 24);
}

async fn the_report_tells_what_was_done_and_what_it_cost(store: Store) {
    let (koinon, server) = (Koinon::on(store).having_corpus(10), Server::answering().await);

    let args = Koinon::dataset(&server, &["--set", "target=10", "--budget-usd", "1"]);
    let report = koinon.run(&args).await.json_with_code(0);

    let expected = json!({
        "state": "succeeded", "error_code": null, "generation": 1, "attempt": 1, "calls": 10,
        "calls_this_run": 10, "replayed_calls": 0, "spent_usd": "0.00096", "reserved_usd": "0",
    });
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(&report[field], value, "{field} of {report:#}");
    }
    assert!(report["job_id"].is_string() && report["progress"]["stage"].is_string(), "{report:#}");
    assert_eq!(report["progress"]["done"], report["progress"]["total"], "{report:#}");
    let rows = &report["output"]["rows"];
    let count = |part: &str| rows[part].as_u64().unwrap();
    let all = count("train") + count("validation") + count("test") + count("quarantine");
    assert_eq!(all, 10, "every item is a row somewhere: {report:#}");
    let files = report["output"]["files"].as_array().unwrap();
    let names: Vec<_> = files.iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"train.jsonl") && names.contains(&"manifest.json"), "{names:?}");
    let cost = koinon.json(&["--json", "job", "cost", report["job_id"].as_str().unwrap()]).await;
    check_cost(&cost);
}

fn check_cost(cost: &Value) {
    assert_eq!((&cost["spent_usd"], &cost["in_doubt_usd"]), (&json!("0.00096"), &json!("0")));
    let entries = cost["entries"].as_array().unwrap();
    let of_kind = |kind: &str| entries.iter().filter(|entry| entry["kind"] == kind).count();
    assert_eq!((of_kind("reserved"), of_kind("settled")), (10, 10), "{cost:#}");
    for entry in entries {
        assert_eq!((&entry["stage"], &entry["generation"]), (&json!("generate"), &json!(1)));
        assert_eq!(entry["profile"], "test-2026-01", "{entry:#}");
        assert!(entry["item"].is_string() && entry["call"].is_string(), "{entry:#}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_database_gives_the_same_bytes_in_another_order() {
    let (one, other) = (Koinon::with_corpus(24), Koinon::with_corpus(24));
    let (slow, fast) = (Server::answering().await, Server::answering().await);
    let slowly = Koinon::dataset(&slow, &["--set", "target=24", "--set", "concurrency=1"]);
    let quickly = Koinon::dataset(&fast, &["--set", "target=24", "--set", "concurrency=16"]);

    let _one = one.run(&slowly).await.with_code(0);
    let _other = other.run(&quickly).await.with_code(0);

    let dataset = Dataset::read(&one, "out");
    assert_eq!(Dataset::read(&other, "out").files, dataset.files);
    let job = Audit::of(&one).await.standing.job;
    for secret in
        [job.as_str(), one.path("").to_str().unwrap(), "127.0.0.1", "test-key", "chatcmpl"]
    {
        assert!(!dataset.text().contains(secret), "an exported file holds {secret}");
    }
}

async fn the_key_goes_to_the_server_and_nowhere_else(store: Store) {
    let (koinon, server) = (Koinon::on(store).having_corpus(4), Server::answering().await);
    let args = Koinon::dataset(&server, &["--set", "target=4"]);

    let ended = koinon.run(&args).await.with_code(0);

    let bearer = Some("Bearer test-key-0123456789".to_owned());
    assert!(server.requests().iter().all(|one| one.asked.authorization == bearer));
    assert!(!ended.to_string().contains("test-key"));
    for (name, bytes) in koinon.files(".koinon") {
        let holds_it = bytes.windows(8).any(|window| window == b"test-key");
        assert!(!holds_it, "{name} holds the key");
    }
    // A file holds all of its tables.
    let file = "SELECT '' WHERE false";
    let tables =
        "SELECT encode(payload, 'escape') FROM jobs UNION ALL SELECT authority::text FROM jobs
        UNION ALL SELECT standings::text FROM standings
        UNION ALL SELECT job_events::text FROM job_events
        UNION ALL SELECT encode(result, 'escape') FROM checkpoints WHERE result IS NOT NULL
        UNION ALL SELECT encode(answer, 'escape') FROM ledger WHERE answer IS NOT NULL";
    for text in koinon.place().ask(file, tables).await {
        assert!(!text.contains("test-key"), "a table holds the key: {text}");
    }
}
