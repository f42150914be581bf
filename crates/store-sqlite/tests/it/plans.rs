//! Every statement can be prepared, and none reads a whole table.

use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Executor as _, Row as _, SqlSafeStr as _};

use crate::harness::Place;

/// The name and the text of every statement.
pub(crate) fn statements() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/sql");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let named = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    files.map(named).collect()
}

async fn plan(database: &mut SqliteConnection, name: &str) -> Vec<String> {
    let (_, text) = statements().into_iter().find(|(found, _)| found == name).unwrap();
    let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {text}"));
    let rows = sqlx::query(explain).fetch_all(database).await.unwrap();
    rows.iter().map(|row| row.get::<String, _>("detail")).collect()
}

#[tokio::test]
async fn every_statement_can_be_prepared() {
    let place = Place::new();
    let _store = place.open().await;
    let mut database = place.raw().await;
    for (name, text) in statements() {
        let prepared = database.prepare(AssertSqlSafe(text).into_sql_str()).await;
        assert!(prepared.is_ok(), "{name}: {prepared:?}");
    }
}

#[tokio::test]
async fn no_statement_reads_a_whole_table() {
    let place = Place::new();
    let _store = place.open().await;
    let mut database = place.raw().await;
    let whole = |step: &String| {
        let tables = ["jobs", "runs", "outcomes", "job_events", "checkpoints", "ledger"];
        tables.iter().any(|table| step == &format!("SCAN {table}")) || step == "SCAN opened"
    };
    for (name, text) in statements() {
        // Statements about the connection have no plan.
        if ["PRAGMA", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"]
            .iter()
            .any(|verb| text.lines().any(|line| line.starts_with(verb)))
        {
            continue;
        }
        let plan = plan(&mut database, &name).await;
        assert!(!plan.iter().any(whole), "{name}: {plan:#?}");
    }
}

/// A list of values in a check or in the condition of an index is a table that SQLite builds for each row.
#[tokio::test]
async fn no_row_that_is_written_makes_sqlite_build_a_table() {
    let place = Place::new();
    let _store = place.open().await;
    let mut database = place.raw().await;
    // What answers with rows builds a table for them.
    let writes = |(name, text): &(String, String)| {
        let verbs = ["clock", "insert_", "save_", "update_", "delete_"];
        verbs.iter().any(|verb| name.starts_with(verb)) && !text.contains("RETURNING")
    };
    let writes: Vec<_> = statements().into_iter().filter(writes).collect();
    assert!(writes.len() >= 13, "{writes:?}");
    for (name, text) in writes {
        let explain = AssertSqlSafe(format!("EXPLAIN {text}"));
        let steps = sqlx::query(explain).fetch_all(&mut database).await.unwrap();
        let builds = |step: &SqliteRow| step.get::<&str, _>("opcode") == "OpenEphemeral";
        assert!(!steps.iter().any(builds), "{name}");
    }
}

#[tokio::test]
async fn the_hot_statements_use_the_indexes_that_were_made_for_them() {
    let place = Place::new();
    let _store = place.open().await;
    let mut database = place.raw().await;
    let golden: [(&str, &[&str]); 9] = [
        ("claim", &["SEARCH runs USING INDEX runs_ready (queue=? AND priority=? AND ready_at<?)"]),
        ("heartbeat", &["SEARCH runs USING INDEX runs_leases (lease_expires_at>?)"]),
        ("recover_due", &["SEARCH runs USING INDEX runs_due (ready_at<?)"]),
        ("recover_expired", &["SEARCH runs USING INDEX runs_leases (lease_expires_at<?)"]),
        ("update_run", &["SEARCH runs USING PRIMARY KEY (job_id=?)"]),
        (
            "standings",
            &[
                "SEARCH runs USING PRIMARY KEY (job_id=?)",
                "SEARCH outcomes USING PRIMARY KEY (job_id=?)",
            ],
        ),
        (
            "holds",
            &[
                "SEARCH opened USING INDEX ledger_opened (hold_id=?)",
                "SEARCH ended USING INDEX ledger_ended (hold_id=?) LEFT-JOIN",
                "SEARCH learnt USING COVERING INDEX ledger_reconciled (hold_id=?)",
            ],
        ),
        ("open_holds", &["SEARCH opened USING INDEX ledger_of_claim (job_id=? AND generation=?)"]),
        (
            "peek",
            &[
                "SEARCH runs EXISTS USING INDEX runs_ready (queue=? AND priority=? AND ready_at<?)",
                "SEARCH runs USING INDEX runs_due (ready_at<?)",
                "SEARCH runs USING INDEX runs_leases (lease_expires_at<?)",
                "SEARCH runs USING INDEX runs_leases (lease_expires_at>?)",
            ],
        ),
    ];
    for (name, steps) in golden {
        let plan = plan(&mut database, name).await;
        for step in steps {
            assert!(plan.iter().any(|found| found == step), "{name} lacks {step}: {plan:#?}");
        }
        let sorts = |step: &String| step.starts_with("USE TEMP B-TREE");
        assert!(!plan.iter().any(sorts), "{name} sorts: {plan:#?}");
    }
}

#[tokio::test]
async fn a_claim_by_tenant_passes_by_no_job_of_a_tenant_without_a_place() {
    let place = Place::new();
    let _store = place.open().await;
    let plan = plan(&mut place.raw().await, "claim_by_tenant").await;
    for step in [
        "SEARCH runs USING INDEX runs_ready_of_tenant (queue=?)",
        "SEARCH runs USING INDEX runs_ready_of_tenant (queue=? AND tenant>?)",
        "SEARCH due USING INDEX runs_ready_of_tenant (queue=? AND tenant=? AND priority=? AND ready_at<?)",
        "SEARCH runs USING PRIMARY KEY (job_id=?)",
    ] {
        assert!(plan.iter().any(|found| found == step), "{step} is missing: {plan:#?}");
    }
}
