//! What the tables themselves refuse, whoever writes.

use koinon_domain::State;
use koinon_kit::{Case, commit, job};
use koinon_store::EntryKind;

use crate::harness::{OnPostgres, Place, run};

#[tokio::test]
async fn what_is_written_once_can_be_neither_changed_nor_taken_away() {
    let case = Case::open(OnPostgres).await;
    let held = case.running(job()).await;
    case.applied(commit(&held).hold(&case.hold("a", "0.01")).checkpoint("b")).await;
    let mut database = case.stores.kept::<Place>().unwrap().raw().await;
    for sql in [
        "UPDATE ledger SET cost_nano_usd = 0",
        "DELETE FROM ledger",
        "UPDATE job_events SET name = 'nothing'",
        "UPDATE jobs SET payload = ''",
        "UPDATE checkpoints SET version = 2",
    ] {
        assert!(run(&mut database, sql).await.is_err(), "{sql}");
    }
    case.check().await;
}

#[test]
fn the_migrations_name_every_state_and_every_kind_of_entry() {
    let jobs = include_str!("../../../../migrations/postgres/0001_jobs.sql");
    for state in State::ALL {
        assert!(jobs.contains(&format!("'{state}'")), "{state}");
    }
    let ledger = include_str!("../../../../migrations/postgres/0003_ledger.sql");
    for kind in EntryKind::ALL {
        assert!(ledger.contains(&format!("'{}'", kind.as_str())), "{kind:?}");
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
