//! A job stops before its budget is exceeded, not after.

use std::collections::BTreeSet;
use std::time::Duration;

use koinon_e2e::{Asked, Audit, Dataset, Koinon, Reply, Server, Store};
use serde_json::Value;

on_each_store! {
    a_third_of_the_budget_pauses_four_calls_at_a_time
    a_limit_on_calls_holds_sixteen_calls_at_a_time
    a_raised_limit_is_not_lowered_by_running_the_old_command
    a_budget_of_zero_makes_no_request
    a_limit_on_items_starts_no_more_items
}

/// What an answer of the server costs: 400 tokens at 0.15 and 60 at 0.60 USD per million.
const NANO_USD_A_CALL: i64 = 96_000;

async fn server() -> Server {
    Server::start(|asked: &Asked| Reply::answer(asked).after(Duration::from_millis(20))).await
}

fn job_id(report: &Value) -> &str {
    report["job_id"].as_str().unwrap()
}

/// Requests of one key, more than one of which would be a call that is repeated.
fn check_no_call_is_repeated(server: &Server) {
    let log = server.requests();
    let keys: BTreeSet<_> = log.iter().map(|one| &one.asked.key).collect();
    assert_eq!(keys.len(), log.len(), "a call was repeated");
}

/// Runs 60 items on a third of what they cost, and then on more.
async fn a_third_pauses_and_a_raise_finishes(store: Store, concurrency: &str) {
    let (koinon, server) = (Koinon::on(store).having_corpus(60), server().await);
    let budget = 60 * NANO_USD_A_CALL / 3;
    let more = ["--set", "target=60", "--set", concurrency, "--budget-usd", "0.00192"];
    let args = Koinon::dataset(&server, &more);

    let report = koinon.run(&args).await.json_with_code(3);

    assert_eq!(
        (&report["state"], &report["error_code"]),
        (&"paused".into(), &"budget_exhausted".into())
    );
    let count = i64::try_from(server.count()).unwrap();
    assert!(count * NANO_USD_A_CALL <= budget, "{count} requests");
    let audit = Audit::of(&koinon).await;
    let standing = &audit.standing;
    assert!(standing.spent.cost + standing.in_doubt.cost <= budget, "{standing:#?}");
    let held = audit.entries("reserved").iter().map(|one| one.amounts.cost).max().unwrap();
    assert!(standing.spent.cost + held > budget, "it stopped too early: {standing:#?}");
    assert_eq!(standing.attempt, 0, "a pause gives the attempt back");

    // Nothing has changed, so nothing goes on.
    let _again = koinon.run(&args).await.with_code(3);
    assert_eq!(i64::try_from(server.count()).unwrap(), count);

    let _raised =
        koinon.run(&["budget", "raise", job_id(&report), "--budget-usd", "1"]).await.with_code(0);
    let finished = koinon.run(&args).await.json_with_code(0);
    assert_eq!((&finished["state"], &finished["job_id"]), (&"succeeded".into(), &report["job_id"]));
    assert_eq!(server.count(), 60);
    check_no_call_is_repeated(&server);
    Dataset::read(&koinon, "out");
    assert_eq!(Audit::of(&koinon).await.standing.spent.cost, 60 * NANO_USD_A_CALL);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_third_of_the_budget_pauses_one_call_at_a_time() {
    a_third_pauses_and_a_raise_finishes(Store::Sqlite, "concurrency=1").await;
}

async fn a_third_of_the_budget_pauses_four_calls_at_a_time(store: Store) {
    a_third_pauses_and_a_raise_finishes(store, "concurrency=4").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_third_of_the_budget_pauses_sixteen_calls_at_a_time() {
    a_third_pauses_and_a_raise_finishes(Store::Sqlite, "concurrency=16").await;
}

/// Runs 60 items with a limit of 20 calls, and then with a higher one.
async fn a_limit_on_calls_is_used_up_exactly(store: Store, concurrency: &str) {
    let (koinon, server) = (Koinon::on(store).having_corpus(60), server().await);
    let limited = |calls| {
        let more = ["--set", "target=60", "--set", concurrency, "--max-calls", calls];
        Koinon::dataset(&server, &more)
    };

    let report = koinon.run(&limited("20")).await.json_with_code(3);
    assert_eq!(
        (&report["state"], &report["error_code"]),
        (&"paused".into(), &"budget_exhausted".into())
    );
    assert_eq!(server.count(), 20);
    let marks = Audit::of(&koinon).await.events("budget_reached").len();
    assert_eq!(marks, 2, "80 % and 100 % are told once each");

    let _lower = koinon.run(&limited("10")).await.with_code(3);
    assert_eq!(server.count(), 20);

    let finished = koinon.run(&limited("60")).await.json_with_code(0);
    assert_eq!(finished["job_id"], report["job_id"]);
    assert_eq!((server.count(), &finished["calls"]), (60, &60.into()));
    check_no_call_is_repeated(&server);
    Audit::of(&koinon).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_on_calls_holds_four_calls_at_a_time() {
    a_limit_on_calls_is_used_up_exactly(Store::Sqlite, "concurrency=4").await;
}

async fn a_limit_on_calls_holds_sixteen_calls_at_a_time(store: Store) {
    a_limit_on_calls_is_used_up_exactly(store, "concurrency=16").await;
}

async fn a_raised_limit_is_not_lowered_by_running_the_old_command(store: Store) {
    let (koinon, server) = (Koinon::on(store).having_corpus(20), server().await);
    let args = Koinon::dataset(&server, &["--set", "target=20", "--budget-usd", "0.001"]);
    let report = koinon.run(&args).await.json_with_code(3);
    let raise = ["budget", "raise", job_id(&report), "--budget-usd", "0.0015"];
    let _raised = koinon.run(&raise).await.with_code(0);
    let _paused = koinon.run(&args).await.with_code(3);
    let count = server.count();

    let _again = koinon.run(&args).await.with_code(3);

    assert_eq!(server.count(), count);
    let audit = Audit::of(&koinon).await;
    let held = audit.entries("reserved").iter().map(|one| one.amounts.cost).max().unwrap();
    assert!(audit.standing.spent.cost + held > 1_500_000, "the raised limit is not used up");
    let lower = ["budget", "raise", job_id(&report), "--budget-usd", "0.0001"];
    let _ignored = koinon.run(&lower).await;
    let finish = ["budget", "raise", job_id(&report), "--budget-usd", "0.1"];
    let _raised = koinon.run(&finish).await.with_code(0);
    let _done = koinon.run(&args).await.with_code(0);
    assert_eq!(server.count(), 20);
}

async fn a_budget_of_zero_makes_no_request(store: Store) {
    for limit in [["--budget-usd", "0"], ["--max-calls", "0"]] {
        let (koinon, server) = (Koinon::on(store).having_corpus(5), server().await);

        let report = koinon.run(&Koinon::dataset(&server, &limit)).await.json_with_code(3);

        assert_eq!(report["error_code"], "budget_exhausted", "{limit:?}");
        assert_eq!(server.count(), 0, "{limit:?}");
        assert_eq!(Audit::of(&koinon).await.standing.state, "paused");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_budget_that_is_no_amount_is_a_usage_error() {
    let (koinon, server) = (Koinon::with_corpus(5), server().await);
    for amount in ["-1", "-0.01", "nan", "NaN", "inf", "-inf", "", "much", "1e3000"] {
        let budget = format!("--budget-usd={amount}");

        let ended = koinon.run(&Koinon::dataset(&server, &[&budget])).await.with_code(2);

        assert!(ended.stderr.contains("--budget-usd"), "{ended}");
    }
    assert_eq!(server.count(), 0);
    let ended = koinon.run(&Koinon::dataset(&server, &["--max-calls=-1"])).await.with_code(2);
    assert!(ended.stderr.contains("--max-calls"), "{ended}");
    assert!(!koinon.database().exists() || Audit::all(&koinon).await.is_empty(), "a job was made");
}

async fn a_limit_on_items_starts_no_more_items(store: Store) {
    let (koinon, server) = (Koinon::on(store).having_corpus(20), server().await);
    let limited = |items| Koinon::dataset(&server, &["--set", "target=20", "--max-items", items]);

    let report = koinon.run(&limited("7")).await.json_with_code(3);

    assert_eq!(report["error_code"], "budget_exhausted");
    assert_eq!(server.count(), 7);
    let _finished = koinon.run(&limited("20")).await.with_code(0);
    assert_eq!(server.count(), 20);
}
