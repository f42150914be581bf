//! The program on a Postgres database.

use koinon_cluster::{Cluster, Database};

use crate::place::Place;

fn empty() -> Database {
    Cluster::shared().unwrap().empty().unwrap()
}

/// The version of the newest migration: there is one file of each, and one of the schema.
fn newest() -> usize {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations/postgres");
    std::fs::read_dir(folder).unwrap().count() - 1
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
        assert_eq!((ended.code, &ended.object()["schema_version"]), (Some(0), &newest().into()));
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

#[test]
fn the_backlog_of_a_database_that_is_down_is_unavailable_and_no_empty_queue() {
    let place = Place::new();
    let (code, backlog) =
        place.json(&["backlog", "--database", "postgres://koinon@127.0.0.1:1/koinon"]);
    assert_eq!(code, Some(1), "{backlog}");
    let primary = &backlog["datasources"][0];
    assert_eq!((&primary["name"], &primary["state"]), (&"primary".into(), &"unavailable".into()));
    assert_eq!(primary["error_code"], "store_unavailable");
    assert!(primary["queues"].is_null(), "{backlog}");
    assert_eq!(backlog["process_capacity"], 1);
}

#[test]
fn a_scaler_is_installed_for_one_role_and_sees_what_the_command_shows() {
    let (place, database) = (Place::new(), empty());
    let url = database.url();
    assert_eq!(place.koinon(&["migrate", "--database", &url]).code, Some(0));
    assert_eq!(place.koinon(&["submit", "dataset", "guide.md", "--database", &url]).code, Some(0));
    let role = format!("scaler_{}", database.name());
    let install = ["install-scaler", "--role", &role, "--database", &url];
    let (code, refused) = place.json(&install);
    assert_eq!((code, &refused["error_code"]), (Some(2), &"usage".into()), "{refused}");
    database.cluster().run("postgres", &format!("CREATE ROLE {role} LOGIN")).unwrap();
    let (code, installed) = place.json(&install);
    assert_eq!((code, &installed["role"]), (Some(0), &role.as_str().into()), "{installed}");
    let asked = "SELECT queue, ready, active, process_capacity FROM koinon_scaler.backlog() \
                 WHERE ready + active > 0";
    let said = database.cluster().run(database.name(), asked).unwrap();
    assert_eq!(said, "dataset|1|0|1");
    let (code, backlog) = place.json(&["backlog", "--database", &url]);
    let queues = backlog["datasources"][0]["queues"].as_array().unwrap();
    let queue = queues.iter().find(|queue| queue["queue"] == "dataset").unwrap();
    assert_eq!(code, Some(0), "{backlog}");
    assert_eq!((&queue["ready"], &queue["active"]), (&1.into(), &0.into()), "{backlog}");
}

#[test]
fn a_scaler_is_refused_where_the_datasources_are_two_databases() {
    let (place, database, other) = (Place::new(), empty(), empty());
    let url = database.url();
    assert_eq!(place.koinon(&["migrate", "--database", &url]).code, Some(0));
    let args = ["install-scaler", "--role", "anybody", "--json", "--database", &url];
    let variable = ("KOINON_DATASOURCES__DOCUMENT_CONTROL__URL", other.url());
    let ended = place.start(&args, &[(variable.0, &variable.1)]).wait_with_output().unwrap();
    let ended = crate::place::Ended::of(ended);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let says = ended.object()["error_summary"].as_str().unwrap().to_owned();
    assert!(says.contains("datasource document_control is another physical database"), "{says}");
}
