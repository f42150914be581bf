//! Answers that are of no use, and answers that never come.

use std::sync::OnceLock;

use koinon_e2e::{Asked, Audit, Dataset, Koinon, Reply, Server, Store, first_sentence};

on_each_store! {
    a_job_whose_answers_are_all_useless_fails
    a_connection_that_is_cut_after_the_request_is_in_doubt
}

const MAX_ATTEMPTS: usize = 3;

/// What a server answers that is no answer.
const USELESS: [&str; 5] = [
    r#"{"error": {"message": "upstream is down", "type": "upstream", "code": "upstream"}}"#,
    "",
    "data: {}",
    r#"{"choices": []}"#,
    r#"{"choices": [{"message": {"role": "assistant", "content": "Certainly! Here you are."}}]}"#,
];

/// A server that does something else with the passage that is asked for first, for ever or once.
struct OneBad {
    server: Server,
}

impl OneBad {
    async fn for_ever(reply: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let bad = OnceLock::new();
        let server = Server::start(move |asked: &Asked| {
            let bad = bad.get_or_init(|| asked.passage.clone());
            if *bad == asked.passage { reply(asked) } else { Reply::answer(asked) }
        });
        Self { server: server.await }
    }

    async fn once(reply: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let once = move |asked: &Asked| match asked.number {
            0 => reply(asked),
            _ => Reply::answer(asked),
        };
        Self { server: Server::start(once).await }
    }

    /// The passage that was asked for first.
    fn passage(&self) -> String {
        self.server.requests()[0].asked.passage.clone()
    }

    /// How often that one was asked for.
    fn times(&self) -> usize {
        let passage = self.passage();
        self.server.requests().iter().filter(|one| one.asked.passage == passage).count()
    }
}

/// One item whose answers are always useless, among others.
async fn one_useless_item_is_quarantined(useless: &'static str) {
    let bad = OneBad::for_ever(move |_| Reply::body(useless)).await;
    let koinon = Koinon::with_corpus(12);
    let args = Koinon::dataset(&bad.server, &["--set", "target=12"]);

    let report = koinon.run(&args).await.json_with_code(0);

    assert_eq!(report["state"], "succeeded", "{useless:?}");
    assert_eq!(bad.times(), MAX_ATTEMPTS, "{useless:?}");
    assert_eq!(bad.server.count(), 11 + MAX_ATTEMPTS, "{useless:?}");
    let dataset = Dataset::read(&koinon, "out");
    let rows = dataset.quarantine();
    assert!(rows.contains("invalid_output"), "no reason for {useless:?} in {rows:?}");
    let quote = first_sentence(&bad.passage()).to_owned();
    assert!(dataset.rows().iter().all(|row| row.text("quote") != quote));
    let audit = Audit::of(&koinon).await;
    let settled = audit.entries("settled");
    assert_eq!(settled.len(), 11 + MAX_ATTEMPTS, "what was answered is charged, of use or not");
    assert!(settled.iter().all(|entry| entry.amounts.cost > 0), "{useless:?}");
    let keys: std::collections::BTreeSet<_> =
        bad.server.requests().into_iter().map(|one| one.asked.key).collect();
    assert_eq!(keys.len(), 11 + MAX_ATTEMPTS, "another try is another call");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_whose_answers_are_errors_is_quarantined() {
    one_useless_item_is_quarantined(USELESS[0]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_whose_answers_are_empty_is_quarantined() {
    one_useless_item_is_quarantined(USELESS[1]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_whose_answers_are_not_json_is_quarantined() {
    one_useless_item_is_quarantined(USELESS[2]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_whose_answers_have_no_choice_is_quarantined() {
    one_useless_item_is_quarantined(USELESS[3]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_whose_answers_are_not_in_the_form_is_quarantined() {
    one_useless_item_is_quarantined(USELESS[4]).await;
}

async fn a_job_whose_answers_are_all_useless_fails(store: Store) {
    let (koinon, server) =
        (Koinon::on(store).having_corpus(6), Server::start(|_| Reply::body(USELESS[0])).await);
    let args = Koinon::dataset(&server, &["--set", "target=6"]);

    let report = koinon.run(&args).await.json_with_code(1);

    assert_eq!(
        (&report["state"], &report["error_code"]),
        (&"failed".into(), &"invalid_output".into())
    );
    let audit = Audit::of(&koinon).await;
    assert!(server.count() <= 6 * MAX_ATTEMPTS, "{} requests", server.count());
    assert_eq!(audit.entries("settled").len(), server.count());
    assert!(audit.standing.spent.cost > 0);
}

/// The first request is cut, and asked again.
async fn a_cut_is_in_doubt(store: Store, reply: fn(&Asked) -> Reply) {
    let cut = OneBad::once(reply).await;
    let koinon = Koinon::on(store).having_corpus(12);
    let args = Koinon::dataset(&cut.server, &["--set", "target=12", "--budget-usd", "1"]);

    let report = koinon.run(&args).await.json_with_code(0);

    assert_eq!((cut.times(), cut.server.count()), (2, 13));
    let log = cut.server.requests();
    let passage = cut.passage();
    let of_item = log.iter().filter(|one| one.asked.passage == passage);
    let keys: std::collections::BTreeSet<_> = of_item.map(|one| &one.asked.key).collect();
    assert_eq!(keys.len(), 1, "one call keeps its key over its retries");
    let audit = Audit::of(&koinon).await;
    let doubtful = audit.entries("in_doubt");
    assert_eq!(doubtful.len(), 1);
    assert!(audit.standing.in_doubt.cost > 0, "it stays charged");
    assert_eq!(audit.entries("settled").len(), 12);
    let listed = koinon.run(&["--json", "ledger", "in-doubt"]).await.with_code(0);
    let hold = &doubtful[0].hold;
    assert!(listed.stdout.replace('-', "").contains(hold.as_str()), "{listed}");
    let job = report["job_id"].as_str().unwrap();
    reconcile(&koinon, job, hold).await;
}

/// A person learns that nothing was charged.
async fn reconcile(koinon: &Koinon, job: &str, hold: &str) {
    let _released = koinon.run(&["ledger", "release", hold]).await.with_code(0);
    let audit = Audit::of(koinon).await;
    assert_eq!((audit.standing.in_doubt.cost, audit.entries("reconciled").len()), (0, 1));
    let twice = koinon.run(&["--json", "ledger", "release", hold]).await.json_with_code(1);
    assert_eq!(twice["error_code"], "hold_not_in_doubt", "a hold is reconciled once");
    let cost = koinon.json(&["--json", "job", "cost", job]).await;
    assert_eq!(cost["in_doubt_usd"], "0");
}

async fn a_connection_that_is_cut_after_the_request_is_in_doubt(store: Store) {
    a_cut_is_in_doubt(store, |_| Reply::cut()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_cut_in_the_body_is_in_doubt() {
    a_cut_is_in_doubt(Store::Sqlite, Reply::cut_in_body).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cuts_every_connection_is_asked_a_bounded_number_of_times() {
    let (koinon, server) = (Koinon::with_corpus(30), Server::start(|_| Reply::cut()).await);
    let args = Koinon::dataset(&server, &["--set", "target=30"]);

    let report = koinon.run(&args).await.json_with_code(1);

    assert_eq!((&report["state"], &report["error_code"]), (&"failed".into(), &"transient".into()));
    assert!(server.count() <= MAX_ATTEMPTS * 4, "{} requests", server.count());
    let audit = Audit::of(&koinon).await;
    assert_eq!(audit.entries("in_doubt").len(), server.count());
}
