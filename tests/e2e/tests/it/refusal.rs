//! A provider that refuses.

use std::sync::Mutex;
use std::time::Duration;

use koinon_e2e::{Asked, Audit, Dataset, Koinon, Logged, Reply, Server, Store};
use serde_json::Value;

on_each_store! {
    a_job_that_waits_for_a_retry_holds_no_permit
    a_server_in_trouble_gets_a_bounded_number_of_requests
    a_quota_that_ends_in_the_middle_keeps_what_was_done
}

const CONCURRENCY: usize = 4;
const MAX_ATTEMPTS: usize = 3;
const MICROS_A_SECOND: i64 = 1_000_000;

/// Refuses the first `count` requests and answers the rest.
async fn refusing_first(count: usize, retry_after: &'static str) -> Server {
    Server::start(move |asked| match asked.number < count {
        true => Reply::error(429, &[("retry-after", retry_after)], "rate_limit_exceeded"),
        false => Reply::answer(asked),
    })
    .await
}

fn arrivals(log: &[Logged]) -> Vec<i64> {
    log.iter().map(|one| one.asked.at_us).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_429_is_not_asked_again_earlier_than_told() {
    let (koinon, server) = (Koinon::with_corpus(12), refusing_first(CONCURRENCY, "2").await);
    let process = koinon.start(&Koinon::dataset(&server, &["--set", "target=12"]));
    server.until_answered(CONCURRENCY).await;

    let waiting = until_state(&koinon, "retry_wait").await;

    assert_eq!(waiting.entries("released").len(), CONCURRENCY);
    assert_eq!(waiting.standing.spent.cost, 0, "a refusal costs nothing");
    let report = process.ended_within(Duration::from_secs(30)).await.json_with_code(0);
    assert_eq!(report["state"], "succeeded");
    let at = arrivals(&server.requests());
    let (refused, asked_again) = (at[CONCURRENCY - 1], at[CONCURRENCY]);
    assert!(asked_again >= refused + 2 * MICROS_A_SECOND, "asked again too early");
    assert!(asked_again < refused + 8 * MICROS_A_SECOND, "asked again much too late");
    assert_eq!(server.count(), 12 + CONCURRENCY);
    Dataset::read(&koinon, "out");
}

/// Waits until the job is in this state, as the database tells at its own pace.
async fn until_state(koinon: &Koinon, state: &str) -> Audit {
    let waiting = async {
        loop {
            let audit = Audit::of(koinon).await;
            if audit.standing.state == state {
                return audit;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), waiting).await.expect("the state in time")
}

async fn a_job_that_waits_for_a_retry_holds_no_permit(store: Store) {
    let koinon = Koinon::on(store).having_corpus(3);
    koinon_e2e::corpus(&koinon.path("others"), 3);
    let (refusing, answering) = (refusing_first(1, "4").await, Server::answering().await);
    let one_at_a_time = ["--set", "target=3", "--set", "concurrency=1"];
    let provider = |name, server: &Server| {
        let base_url = server.base_url();
        format!("[providers.{name}]\nkind = \"openai\"\nbase_url = \"{base_url}\"\n")
    };
    koinon.write("koinon.toml", provider("one", &refusing) + &provider("two", &answering));
    for (folder, provider) in [("docs", "one"), ("others", "two")] {
        let what = ["submit", "dataset", folder, "--provider", provider, "--model", "test-model"];
        let submit = [what.as_slice(), &one_at_a_time].concat();
        let _submitted = koinon.run(&submit).await.with_code(0);
    }

    let _worked = koinon.run(&["worker", "--once"]).await.with_code(0);

    let waited_until = arrivals(&refusing.requests())[1];
    assert_eq!((refusing.count(), answering.count()), (4, 3));
    let others = arrivals(&answering.requests());
    assert!(others.iter().all(|at| *at < waited_until), "the worker stood still meanwhile");
    for job in Audit::all(&koinon).await {
        assert_eq!(job.standing.state, "succeeded");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exhausted_quota_fails_the_job_and_starts_nothing_more() {
    let quota = |_: &Asked| Reply::error(429, &[], "insufficient_quota");
    let (koinon, server) = (Koinon::with_corpus(30), Server::start(quota).await);
    let args = Koinon::dataset(&server, &["--set", "target=30"]);

    let report = koinon.run(&args).await.json_with_code(1);

    assert_eq!(
        (&report["state"], &report["error_code"]),
        (&"failed".into(), &"quota_exhausted".into())
    );
    assert!(server.count() <= CONCURRENCY, "{} requests", server.count());
    let audit = Audit::of(&koinon).await;
    assert_eq!(audit.standing.spent.cost, 0);
    assert_eq!(audit.entries("released").len(), server.count());
    let failed = audit.events("failed");
    assert!(
        failed[0].detail.contains("insufficient_quota"),
        "the provider's code is kept: {failed:?}"
    );
}

async fn a_quota_that_ends_in_the_middle_keeps_what_was_done(store: Store) {
    let open = std::sync::Arc::new(Mutex::new(false));
    let paid = std::sync::Arc::clone(&open);
    let server = Server::start(move |asked| match asked.number < 10 || *paid.lock().unwrap() {
        true => Reply::answer(asked),
        false => Reply::error(429, &[], "insufficient_quota"),
    })
    .await;
    let koinon = Koinon::on(store).having_corpus(30);
    let args = Koinon::dataset(&server, &["--set", "target=30"]);
    let failed = koinon.run(&args).await.json_with_code(1);
    let count = server.count();
    assert!(count < 10 + 2 * CONCURRENCY, "{count} requests");

    *open.lock().unwrap() = true;
    let report = koinon.run(&args).await.json_with_code(0);

    assert_eq!(report["job_id"], failed["job_id"], "the same command retries the job");
    assert_eq!(server.count(), count + 20, "what was answered is not asked again");
    assert_eq!(Audit::of(&koinon).await.entries("settled").len(), 30);
}

async fn a_server_that_always_fails(store: Store, reply: fn() -> Reply) -> (Koinon, Server, Value) {
    let server = Server::start(move |_| reply()).await;
    let koinon = Koinon::on(store).having_corpus(30);
    let args = Koinon::dataset(&server, &["--set", "target=30"]);
    let report = koinon.run(&args).await.json_with_code(1);
    (koinon, server, report)
}

async fn a_server_in_trouble_gets_a_bounded_number_of_requests(store: Store) {
    let (koinon, server, report) =
        a_server_that_always_fails(store, || Reply::error(500, &[], "server_error")).await;

    assert_eq!((&report["state"], &report["error_code"]), (&"failed".into(), &"transient".into()));
    assert_eq!(report["attempt"], MAX_ATTEMPTS);
    let count = server.count();
    assert!((MAX_ATTEMPTS..=MAX_ATTEMPTS * CONCURRENCY).contains(&count), "{count} requests");
    let audit = Audit::of(&koinon).await;
    assert_eq!((audit.standing.spent.cost, audit.entries("released").len()), (0, count));
    assert_eq!(audit.events("retryable").len(), MAX_ATTEMPTS - 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_key_fails_the_job_at_once() {
    let (koinon, server, report) =
        a_server_that_always_fails(Store::Sqlite, || Reply::error(401, &[], "invalid_api_key"))
            .await;

    assert_eq!(
        (&report["state"], &report["error_code"]),
        (&"failed".into(), &"provider_auth".into())
    );
    assert!(server.count() <= CONCURRENCY, "{} requests", server.count());
    assert_eq!(Audit::of(&koinon).await.standing.spent.cost, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_there_costs_nothing() {
    let server = Server::answering().await;
    let koinon = Koinon::with_corpus(10);
    let args = Koinon::dataset(&server, &["--set", "target=10", "--budget-usd", "1"]);
    drop(server);

    let report = koinon.run(&args).await.json_with_code(1);

    assert_eq!((&report["state"], &report["error_code"]), (&"failed".into(), &"transient".into()));
    let audit = Audit::of(&koinon).await;
    assert!(audit.entries("in_doubt").is_empty(), "no byte of a request was written");
    assert_eq!((audit.standing.spent.cost, audit.standing.in_doubt.cost), (0, 0));
    assert_eq!((&report["spent_usd"], &report["reserved_usd"]), (&"0".into(), &"0".into()));
}
