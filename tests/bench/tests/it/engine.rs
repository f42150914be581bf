//! The engine beside bare statements, as small as it gets.

use std::path::Path;
use std::process::Command;

use koinon_cluster::Cluster;
use serde_json::Value;

const ROWS: [&str; 13] = [
    "submit_one",
    "submit_1000",
    "noop",
    "stages",
    "paid",
    "noop_slow_commit",
    "stages_slow_commit",
    "paid_slow_commit",
    "claim_ready_1k",
    "claim_ready_100k",
    "claim_ready_1m",
    "claim_beside",
    "sqlite_stages",
];

/// The rows that a run printed, which has to end well.
fn measure(suite: &str, url: &str, args: &[&str]) -> anyhow::Result<Vec<Value>> {
    let mut bench = Command::new(env!("CARGO_BIN_EXE_koinon-bench"));
    bench.args([suite, "--size", "tiny", "--database", url]).args(args);
    rows_of(&mut bench)
}

fn rows_of(bench: &mut Command) -> anyhow::Result<Vec<Value>> {
    let output = bench.output()?;
    let lines = String::from_utf8(output.stdout)?;
    let says = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "{}: {lines}{says}", output.status);
    let rows: Result<_, _> = lines.lines().map(serde_json::from_str).collect();
    Ok(rows?)
}

#[test]
fn every_row_is_measured_and_nothing_is_left() {
    // Its own: other tests make scratch databases and roles in the shared one.
    let cluster = Cluster::start().expect("a cluster");
    cluster.run("postgres", "CREATE DATABASE given").expect("a database");
    let rows = measure("engine", &cluster.url("given"), &[]).expect("rows");
    let names: Vec<&str> = rows.iter().filter_map(|row| row["bench"].as_str()).collect();
    assert_eq!(names, ROWS);
    for row in &rows {
        let round = &row["rounds"][0];
        assert!(round["value"].as_f64().is_some_and(|value| value > 0.0), "{row}");
        let has_base = round["base"].as_f64().is_some_and(|base| base > 0.0);
        assert_eq!(has_base, row["bench"] != "claim_ready_1k", "{row}");
    }
    let left = "SELECT count(*) FROM pg_database WHERE datname LIKE 'koinon_bench_%'";
    assert_eq!(cluster.run("postgres", left).expect("a count"), "0", "scratch databases are left");
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(cluster.run("given", tables).expect("a count"), "0", "it is not ours");
}

#[test]
fn starts_are_measured_with_notifications_and_without() {
    let cluster = Cluster::shared().expect("a cluster");
    let database = cluster.empty().expect("a database");
    let rows = measure("latency", &database.url(), &[]).expect("rows");
    let names: Vec<&str> = rows.iter().filter_map(|row| row["bench"].as_str()).collect();
    assert_eq!(names, ["start_p50", "start_p99", "start_untold"]);
    for row in &rows {
        let round = &row["rounds"][0];
        assert!(round["value"].as_f64().is_some_and(|value| value > 0.0), "{row}");
        let has_base = round["base"].as_f64().is_some_and(|base| base > 0.0);
        assert_eq!(has_base, row["bench"] != "start_untold", "{row}");
    }
}

#[test]
fn looks_at_the_backlog_agree_while_workers_claim() {
    // Its own: other tests make scratch databases and roles in the shared one.
    let cluster = Cluster::start().expect("a cluster");
    cluster.run("postgres", "CREATE DATABASE given").expect("a database");
    let rows = measure("backlog", &cluster.url("given"), &[]).expect("rows");
    let names: Vec<&str> = rows.iter().filter_map(|row| row["bench"].as_str()).collect();
    assert_eq!(names, ["backlog_p50", "backlog_p95", "scaler_p95"]);
    for row in &rows {
        assert!(row["rounds"][0]["value"].as_f64().is_some_and(|value| value > 0.0), "{row}");
    }
    let says = rows[1]["says"][0].as_str().unwrap_or_default();
    let counts = "ready 15, active 3, retry 30, paused 20, blocked 10";
    assert!(says.contains(counts), "{says}");
    let left = "SELECT count(*) FROM pg_roles WHERE rolname LIKE 'koinon_bench_%'";
    assert_eq!(cluster.run("postgres", left).expect("a count"), "0", "a role is left");
}

#[test]
fn idle_workers_are_counted_and_weighed() {
    let program = Path::new(env!("CARGO_BIN_EXE_koinon-bench")).with_file_name("koinon-worker");
    assert!(program.is_file(), "build it: cargo build --package koinon-worker");
    let mut bench = Command::new(env!("CARGO_BIN_EXE_koinon-bench"));
    bench.args(["idle", "--size", "tiny", "--worker"]).arg(program);
    let rows = rows_of(&mut bench).expect("rows");
    let value = |row: usize| rows[row]["rounds"][0]["value"].as_f64();
    let names: Vec<&str> = rows.iter().filter_map(|row| row["bench"].as_str()).collect();
    assert_eq!(names, ["idle_statements", "idle_rss", "idle_cpu"]);
    for row in 0..2 {
        assert!(value(row).is_some_and(|value| value > 0.0), "{rows:?}");
    }
    assert!(value(2).is_some_and(|value| value >= 0.0), "{rows:?}");
    let says = rows[0]["says"].to_string();
    assert!(says.contains("What a worker wants to know"), "{says}");
}

#[test]
fn a_user_without_rights_is_told_what_is_missing() {
    let cluster = Cluster::shared().expect("a cluster");
    let database = cluster.empty().expect("a database");
    let user = format!("humble_{}", std::process::id());
    cluster.run("postgres", &format!("CREATE ROLE {user} LOGIN")).expect("a role");
    let url = database.url().replace("//koinon@", &format!("//{user}@"));
    let told = measure("engine", &url, &["--only", "noop"]);
    cluster.run("postgres", &format!("DROP ROLE {user}")).expect("no role");
    let rows = told.expect("the rows say what is missing");
    let missing = rows[0]["missing"].as_str().unwrap_or_default();
    assert!(missing.contains("CREATEDB"), "{missing}");
}
