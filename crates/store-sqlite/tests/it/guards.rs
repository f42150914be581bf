//! What the tables themselves refuse, whoever writes.

use futures::future::join_all;
use koinon_domain::State;
use koinon_kit::{Case, commit, job};
use koinon_store::EntryKind;

use crate::harness::{OnSqlite, Place, run};

#[tokio::test]
async fn what_is_written_once_can_be_neither_changed_nor_taken_away() {
    let case = Case::open(OnSqlite).await;
    let held = case.running(job()).await;
    case.applied(commit(&held).hold(&case.hold("a", "0.01")).checkpoint("b")).await;
    let mut database = case.stores.kept::<Place>().unwrap().raw().await;
    for sql in [
        "UPDATE ledger SET cost_nano_usd = 0",
        "DELETE FROM ledger",
        "UPDATE job_events SET name = 'nothing'",
        "UPDATE jobs SET payload = x'00'",
        "UPDATE checkpoints SET version = 2",
    ] {
        assert!(run(&mut database, sql).await.is_err(), "{sql}");
    }
    case.check().await;
}

#[tokio::test]
async fn migrations_that_build_tables_anew_keep_every_row() {
    let case = Case::open(OnSqlite).await;
    let mut jobs = Vec::new();
    for state in State::ALL {
        jobs.push(case.in_state(state).await.0);
    }
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.01");
    case.applied(commit(&held).hold(&hold).checkpoint("b")).await;
    case.applied(commit(&held).settle(hold.id, "0.005")).await;
    jobs.push(held.job);
    let snapshots = async || join_all(jobs.iter().map(|job| case.snapshot(*job))).await;
    let before = snapshots().await;
    let mut database = case.stores.kept::<Place>().unwrap().raw().await;
    for migration in [
        include_str!("../../../../migrations/sqlite/0007_lists.sql"),
        include_str!("../../../../migrations/sqlite/0011_fewer_pages.sql"),
    ] {
        run(&mut database, "BEGIN IMMEDIATE").await.unwrap();
        run(&mut database, migration).await.unwrap();
        run(&mut database, "COMMIT").await.unwrap();
        assert_eq!(snapshots().await, before);
    }
    case.applied(commit(&held).succeed()).await;
    case.check().await;
}

#[test]
fn the_schema_names_every_state_and_every_kind_of_entry() {
    let schema = include_str!("../../../../migrations/sqlite/schema.sql");
    for state in State::ALL {
        assert!(schema.contains(&format!("state = '{state}'")), "{state}");
    }
    for kind in EntryKind::ALL {
        assert!(schema.contains(&format!("kind = '{}'", kind.as_str())), "{kind:?}");
    }
}

#[test]
fn the_statements_name_only_states_that_exist() {
    let held: Vec<String> = State::ALL
        .into_iter()
        .filter(|state| state.is_held())
        .map(|state| format!("'{state}'"))
        .collect();
    let held = format!("state IN ({})", held.join(", "));
    for (name, text) in crate::plans::statements() {
        for list in text.split("state IN (").skip(1) {
            let list = format!("state IN ({})", list.split(')').next().unwrap());
            let asked = "state IN ('pausing', 'cancelling')";
            assert!(list == held || list == asked, "{name}: {list}");
        }
    }
}
