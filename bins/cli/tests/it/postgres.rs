//! The program on a Postgres database.

use koinon_cluster::{Cluster, Database};

use crate::place::Place;

fn empty() -> Database {
    Cluster::shared().unwrap().empty().unwrap()
}

#[test]
fn a_database_that_was_not_migrated_is_refused_with_the_command_to_run() {
    let (place, database) = (Place::new(), empty());
    let ended = place.koinon(&["run", "dataset", "guide.md", "--database", &database.url()]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("schema_mismatch"), "{ended:?}");
    assert!(ended.stderr.contains("koinon migrate --database"), "{ended:?}");
}

#[test]
fn many_migrate_at_once_and_each_says_the_version() {
    let (place, database) = (Place::new(), empty());
    let url = database.url();
    let args = ["migrate", "--json", "--database", &url];
    let migrating: Vec<_> = (0..5).map(|_| place.start(&args, &[])).collect();
    for one in migrating {
        let ended = crate::place::Ended::of(one.wait_with_output().unwrap());
        assert_eq!((ended.code, &ended.object()["schema_version"]), (Some(0), &3.into()));
    }
}

#[test]
fn a_run_makes_a_dataset_and_a_second_one_finds_it_done() {
    let (place, database) = (Place::new(), empty());
    let url = database.url();
    let json = |args: &[&str]| place.json(&[args, &["--database", &url]].concat());
    assert_eq!(json(&["migrate"]).0, Some(0));
    let args = ["run", "dataset", "guide.md", "--out", "out"];
    let (code, first) = json(&args);
    assert_eq!((code, &first["state"]), (Some(0), &"succeeded".into()), "{first}");
    assert_eq!(first["output"]["rows"]["train"], place.read("out/train.jsonl").lines().count());
    let (code, second) = json(&args);
    assert_eq!((code, &second["calls_this_run"]), (Some(0), &0.into()));
    assert_eq!((&second["job_id"], &second["calls"]), (&first["job_id"], &first["calls"]));

    let id = first["job_id"].as_str().unwrap();
    let (code, cost) = json(&["job", "cost", id]);
    let settled = |cost: &serde_json::Value| {
        let entries = cost["entries"].as_array().unwrap();
        entries.iter().filter(|entry| entry["kind"] == "settled").count()
    };
    assert_eq!(code, Some(0), "{cost}");
    assert_eq!(first["calls"], settled(&cost));
    assert_eq!(json(&["doctor"]).0, Some(0));
}

#[test]
fn the_same_documents_make_the_same_dataset_on_both_databases() {
    let (place, database) = (Place::new(), empty());
    let url = database.url();
    assert_eq!(place.koinon(&["migrate", "--database", &url]).code, Some(0));
    let args = ["run", "dataset", "guide.md", "--out"];
    let (_, on_sqlite) = place.json(&[&args[..], &["a"]].concat());
    let (_, on_postgres) = place.json(&[&args[..], &["b", "--database", &url]].concat());
    assert_eq!(on_postgres["output"]["rows"], on_sqlite["output"]["rows"], "{on_postgres}");
    assert_eq!(place.read("b/train.jsonl"), place.read("a/train.jsonl"));
}
