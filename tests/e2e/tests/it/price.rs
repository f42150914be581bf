//! What a call costs.

use koinon_e2e::{Asked, Audit, Koinon, Reply, Server};
use serde_json::{Value, json};

/// Twelve thousand tokens of which nine thousand were cached, and five hundred.
fn cached_usage() -> Value {
    json!({
        "prompt_tokens": 12_000,
        "completion_tokens": 500,
        "total_tokens": 12_500,
        "prompt_tokens_details": {"cached_tokens": 9_000},
    })
}

async fn server_using(usage: fn() -> Value) -> Server {
    Server::start(move |asked: &Asked| Reply::answer_using(asked, &usage())).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_without_a_price_is_refused_before_a_job_is_submitted() {
    let (koinon, server) = (Koinon::with_corpus(5), Server::answering().await);
    let args = Koinon::dataset(&server, &["--budget-usd", "5", "--model", "unheard-of"]);
    let args: Vec<_> = args.into_iter().collect();
    let first = args.iter().position(|word| word == "--model").unwrap();
    let args = [&args[..first], &args[first + 2..]].concat();

    let report = koinon.run(&args).await.json_with_code(2);

    assert_eq!(report["error_code"], "price_unknown", "{report:#}");
    assert_eq!((Audit::all(&koinon).await.len(), server.count()), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_without_a_price_runs_where_no_cost_is_limited() {
    let (koinon, server) = (Koinon::with_corpus(5), Server::answering().await);
    let args = Koinon::dataset(&server, &["--set", "target=5", "--max-calls", "50"]);
    let args: Vec<_> = args
        .into_iter()
        .map(|word| if word == "test-model" { "unheard-of".into() } else { word })
        .collect();

    let report = koinon.run(&args).await.json_with_code(0);

    assert_eq!((&report["spent_usd"], server.count()), (&"0".into(), 5));
}

#[tokio::test(flavor = "multi_thread")]
async fn cached_tokens_are_priced_once_and_booked_above_the_hold() {
    let (koinon, server) = (Koinon::with_corpus(3), server_using(cached_usage).await);
    let args = Koinon::dataset(&server, &["--set", "target=1", "--budget-usd", "1"]);

    let report = koinon.run(&args).await.json_with_code(0);

    assert_eq!((&report["spent_usd"], server.count()), (&"0.001425".into(), 1));
    let audit = Audit::of(&koinon).await;
    assert_eq!(audit.standing.spent.cost, 1_425_000);
    assert!(audit.entries("reserved")[0].amounts.cost < 1_425_000, "the hold is smaller");
    assert_eq!(audit.events("hold_exceeded").len(), 1);
    let events = koinon.run(&["--json", "job", "events", report["job_id"].as_str().unwrap()]).await;
    assert!(events.with_code(0).stdout.contains("hold_exceeded"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bill_above_the_budget_is_booked_in_full_and_pauses_the_job() {
    let (koinon, server) = (Koinon::with_corpus(10), server_using(cached_usage).await);
    let more = ["--set", "target=10", "--set", "concurrency=1", "--budget-usd", "0.001"];

    let report = koinon.run(&Koinon::dataset(&server, &more)).await.json_with_code(3);

    assert_eq!(
        (&report["state"], &report["error_code"]),
        (&"paused".into(), &"budget_exhausted".into())
    );
    assert_eq!((&report["spent_usd"], server.count()), (&"0.001425".into(), 1));
    assert_eq!(Audit::of(&koinon).await.events("hold_exceeded").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_without_usage_is_estimated_and_charged() {
    let (koinon, server) = (Koinon::with_corpus(3), server_using(|| Value::Null).await);
    let args = Koinon::dataset(&server, &["--set", "target=2", "--budget-usd", "1"]);

    let report = koinon.run(&args).await.json_with_code(0);

    assert_ne!(report["spent_usd"], "0");
    let audit = Audit::of(&koinon).await;
    assert!(audit.entries("settled").iter().all(|entry| entry.amounts.cost > 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_file_that_is_wrong_is_a_usage_error() {
    let (koinon, server) = (Koinon::with_corpus(3), Server::answering().await);
    for wrong in ["id = ", "id = \"a\"", "[[price]]\nmodel = 7"] {
        koinon.write("prices.toml", wrong);

        let ended =
            koinon.run(&Koinon::dataset(&server, &["--budget-usd", "1"])).await.with_code(2);

        assert!(ended.stderr.contains("prices.toml"), "{ended}");
    }
    let missing = koinon.run(&["price", "check", "nowhere.toml"]).await;
    assert!(matches!(missing.code, Some(1 | 2)), "{missing}");
    assert_eq!(server.count(), 0);
}
