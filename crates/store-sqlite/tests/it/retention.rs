//! What stays of a job that is gone: what it cost, and whose it was.

use std::time::Duration;

use koinon_domain::{QueueName, State};
use koinon_kit::{Case, commit, job};
use koinon_store::{HoldOutcome, Old, Stored};
use sqlx::Row as _;

use crate::harness::{OnSqlite, Place, run};

const SUMS: &str = "SELECT coalesce(sum(cost_nano_usd), 0) AS cost, count(*) AS entries, count(answer) AS answers FROM ledger";

#[tokio::test]
async fn the_amounts_of_a_pruned_job_stay_and_its_answers_go() {
    let case = Case::open(OnSqlite).await;
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    let mut settled = koinon_kit::settled("0.2");
    if let HoldOutcome::Settled { answer, .. } = &mut settled {
        *answer = Some(Stored::Inline(b"an answer".to_vec()));
    }
    case.applied(commit(&held).end_hold(hold.id, settled)).await;
    case.applied(commit(&held).succeed()).await;
    let mut database = case.stores.kept::<Place>().unwrap().raw().await;
    for sql in ["UPDATE ledger SET answer = NULL", "UPDATE ledger SET usable = NOT usable"] {
        assert!(run(&mut database, sql).await.is_err(), "while the job is there: {sql}");
    }
    let before = sqlx::query(SUMS).fetch_one(&mut database).await.unwrap();

    case.clock.advance(Duration::from_hours(2));
    let queue = QueueName::try_new("report").unwrap();
    let old = Old { queue, state: State::Succeeded, kept_for: Duration::from_hours(1) };
    assert_eq!(case.stores.retention.prune_jobs(&old, 10).await.unwrap().jobs, 1);
    case.forget(held.job);

    let after = sqlx::query(SUMS).fetch_one(&mut database).await.unwrap();
    assert_eq!(after.get::<i64, _>("entries"), before.get::<i64, _>("entries"));
    assert_eq!(after.get::<i64, _>("cost"), before.get::<i64, _>("cost"));
    assert_eq!((before.get::<i64, _>("answers"), after.get::<i64, _>("answers")), (1, 0));
    let line = sqlx::query("SELECT tenant, queue, state, spent_cost_nano_usd FROM pruned_jobs");
    let line = line.fetch_one(&mut database).await.unwrap();
    assert_eq!(line.get::<String, _>("tenant"), "acme");
    assert_eq!(line.get::<String, _>("state"), "succeeded");
    assert_eq!(line.get::<i64, _>("spent_cost_nano_usd"), 200_000_000);
    for sql in [
        "UPDATE ledger SET cost_nano_usd = 0",
        "UPDATE ledger SET answer = x'00'",
        "DELETE FROM ledger",
        "UPDATE pruned_jobs SET tenant = 'globex'",
    ] {
        assert!(run(&mut database, sql).await.is_err(), "{sql}");
    }
}
