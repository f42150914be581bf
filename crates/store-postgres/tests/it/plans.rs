//! Every statement can be prepared, and the hot ones use the indexes that were made for them.

use std::fmt::Write as _;

use koinon_kit::{Case, LEASE, commit, job};
use sqlx::{AssertSqlSafe, Executor as _, PgConnection, Row as _, SqlSafeStr as _, Statement as _};

use crate::harness::{OnPostgres, Place, run};

/// The name and the text of every statement.
pub(crate) fn statements() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/sql");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let named = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    let mut statements: Vec<_> = files.map(named).collect();
    statements.sort();
    // The beginnings of a claim go on alike.
    let end = statements.extract_if(.., |(name, _)| name == "claimed").next().unwrap().1;
    for (_, text) in statements.iter_mut().filter(|(_, text)| text.trim_end().ends_with(',')) {
        text.push_str(&end);
    }
    statements
}

/// Statements about the transaction, and blocks of other statements, have no plan.
fn has_no_plan(text: &str) -> bool {
    ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "DO", "SET LOCAL"]
        .iter()
        .any(|verb| text.lines().any(|line| line.starts_with(verb)))
}

#[tokio::test]
async fn every_statement_can_be_prepared() {
    let place = Place::new().await;
    let mut database = place.raw().await;
    for (name, text) in statements() {
        let prepared = (&mut database).prepare(AssertSqlSafe(text).into_sql_str()).await;
        assert!(prepared.is_ok(), "{name}: {prepared:?}");
    }
}

/// The steps of the generic plan that read a table: how, by which index, and under which condition.
async fn plan(database: &mut PgConnection, name: &str, text: &str) -> Vec<String> {
    let prepared = (&mut *database).prepare(AssertSqlSafe(text.to_owned()).into_sql_str()).await;
    let count = prepared.unwrap().parameters().map_or(0, |kinds| match kinds {
        sqlx::Either::Left(kinds) => kinds.len(),
        sqlx::Either::Right(count) => count,
    });
    let mut arguments = vec!["NULL"; count].join(", ");
    if count > 0 {
        arguments = format!("({arguments})");
    }
    let prepare = format!("PREPARE {name}_plan AS {text}");
    sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut *database).await.unwrap();
    let explain = format!("EXPLAIN (COSTS OFF) EXECUTE {name}_plan{arguments}");
    let rows = sqlx::query(AssertSqlSafe(explain)).fetch_all(&mut *database).await.unwrap();
    let mut steps = Vec::new();
    for row in rows {
        let line = row.get::<String, _>(0);
        let line = line.trim().trim_start_matches("->").trim();
        let is_condition = line.starts_with("Index Cond:");
        let reads = ["Index", "Seq Scan", "Bitmap", "Sort"].iter().any(|one| line.contains(one));
        if is_condition {
            steps.push(format!("    {line}"));
        } else if reads && !line.contains("Sort Key") && !line.contains("Recheck") {
            steps.push(line.to_owned());
        }
    }
    steps
}

/// A case whose tables have rows of every kind, and whose planner knows it.
async fn filled() -> Case {
    let case = Case::open(OnPostgres).await;
    for _ in 0..4 {
        let jobs = (0..500).map(|_| job().build(&*case.clock)).collect();
        case.stores.jobs.submit(jobs).await.unwrap();
    }
    for round in 0..120 {
        let held = case.running(job().priority(9)).await;
        let (open, settled) = (case.hold("a", "0.01"), case.hold("b", "0.01"));
        case.applied(commit(&held).hold(&open).hold(&settled).checkpoint("b")).await;
        case.applied(commit(&held).settle(settled.id, "0.01")).await;
        match round % 4 {
            0 => drop(case.applied(commit(&held).retry_after(LEASE * 1_000)).await),
            1 | 2 => drop(case.applied(commit(&held).succeed()).await),
            _ => {}
        }
    }
    let mut database = case.stores.kept::<Place>().unwrap().raw().await;
    run(&mut database, "VACUUM ANALYZE").await.unwrap();
    case
}

#[tokio::test]
async fn the_plans_of_all_statements_are_as_they_were_seen() {
    let case = filled().await;
    let mut database = case.stores.kept::<Place>().unwrap().raw().await;
    set_as_in_the_store(&mut database).await;
    let mut found = String::new();
    for (name, text) in statements() {
        if has_no_plan(&text) {
            continue;
        }
        writeln!(found, "{name}").unwrap();
        for step in plan(&mut database, &name, &text).await {
            assert!(!step.contains("Seq Scan on"), "{name} reads a whole table: {step}");
            writeln!(found, "    {step}").unwrap();
        }
    }
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/plans.txt");
    if std::env::var_os("KOINON_BLESS").is_some() {
        std::fs::write(golden, &found).unwrap();
    }
    let wanted = std::fs::read_to_string(golden).unwrap_or_default();
    assert_eq!(found, wanted, "if the plans are right, run this test with KOINON_BLESS=1");
}

/// Tells a session what those of the store are told.
async fn set_as_in_the_store(database: &mut PgConnection) {
    run(
        database,
        "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; \
         SET enable_bitmapscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; \
         SET jit = off",
    )
    .await
    .unwrap();
}

/// What is asked for by id, or by the key of an index. A worker may prepare it before there is any row.
const LOOK_UPS: [&str; 15] = [
    "calls",
    "claim",
    "claim_by_tenant",
    "claim_job",
    "holds",
    "load",
    "lock_runs",
    "open_holds",
    "queue_of_job",
    "save_ends",
    "save_paid",
    "save_steps",
    "standings",
    "submit",
    "update_run",
];

#[tokio::test]
async fn a_plan_that_is_made_for_an_empty_database_reads_no_whole_index() {
    let place = Place::new().await;
    let mut database = place.raw().await;
    set_as_in_the_store(&mut database).await;
    for (name, text) in statements() {
        if !LOOK_UPS.contains(&name.as_str()) {
            continue;
        }
        let steps = plan(&mut database, &name, &text).await;
        for (place, step) in steps.iter().enumerate() {
            let has_condition =
                steps.get(place + 1).is_some_and(|next| next.contains("Index Cond:"));
            let is_whole = step.starts_with("Index") && !has_condition;
            assert!(!is_whole, "{name} reads a whole index: {steps:#?}");
        }
    }
}
