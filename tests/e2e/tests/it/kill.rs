//! `kill -9`, again and again.

use std::collections::BTreeMap;
use std::time::Duration;

use koinon_e2e::{Asked, Audit, Dataset, Koinon, Reply, Seed, Server, Store, first_sentence};

on_each_store! {
    twenty_kills_change_no_byte_and_repeat_no_stored_answer
}

const ITEMS: &str = "target=200";
const KILLS: usize = 20;
const CONCURRENCY: usize = 4;

/// A server that answers after up to 300 ms; some of its answers are too long for a row.
async fn server() -> Server {
    let reply = |asked: &Asked| {
        let is_long = Seed::of(&asked.passage).below(5) == 0;
        let reply = if is_long { Reply::long_answer(asked) } else { Reply::answer(asked) };
        let mut seed = Seed::of(&format!("{} {}", asked.key, asked.number));
        reply.after(seed.up_to(Duration::from_millis(300)))
    };
    Server::start(reply).await
}

async fn twenty_kills_change_no_byte_and_repeat_no_stored_answer(store: Store) {
    // Undisturbed and in a file, whatever the other one runs on.
    let calm = Koinon::with_corpus(200);
    let calm_server = server().await;
    let harassed = Koinon::on(store)
        .having_corpus(200)
        .env("KOINON_OPERATIONS__LEASE_FOR", "2s")
        .env("KOINON_OPERATIONS__MAX_ATTEMPTS", "25");
    let server = server().await;
    let args = Koinon::dataset(&server, &["--set", ITEMS]);
    let calm_args = Koinon::dataset(&calm_server, &["--set", ITEMS]);

    let undisturbed = calm.start(&calm_args);
    let mut seed = Seed::of("kills");
    for kill in 0..KILLS {
        let before = server.count();
        let process = harassed.start(&args);
        server.until_asked(before + 1).await;
        tokio::time::sleep(seed.up_to(Duration::from_millis(500))).await;
        assert!(process.kill().await, "kill {kill} found no process");
        // What a crash leaves must make sense at every instant, not just at the end.
        Audit::of(&harassed).await;
    }
    let report = harassed.run(&args).await.json_with_code(0);
    let _calm = undisturbed.ended_within(Duration::from_secs(120)).await.with_code(0);

    assert_eq!(report["state"], "succeeded");
    let dataset = Dataset::read(&harassed, "out");
    assert_eq!(dataset.files, Dataset::read(&calm, "out").files);
    assert_eq!(calm_server.count(), 200);
    let audit = Audit::of(&harassed).await;
    assert_eq!(audit.standing.lease_losses, 20);
    assert_eq!(audit.items_of("generate"), 200);
    check_requests(&server, &audit, &dataset);
}

/// Holds the server's log against the ledger, call by call.
fn check_requests(server: &Server, audit: &Audit, dataset: &Dataset) {
    let all_rows = dataset.rows().into_iter().chain(dataset.rows_of("quarantine"));
    let calls: BTreeMap<String, String> =
        all_rows.map(|row| (row.text("quote").to_owned(), row.text("call").to_owned())).collect();
    assert_eq!(calls.len(), 200, "every item is a row somewhere");
    let in_doubt = audit.by_call("in_doubt");
    let mut requests: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    let log = server.requests();
    for one in &log {
        let call = &calls[first_sentence(&one.asked.passage)];
        requests.entry(call).or_default().push(one.asked.at_us);
    }
    assert_eq!(requests.len(), 200);
    for (call, arrivals) in &requests {
        let extra = arrivals.len() - 1;
        let doubtful = in_doubt.get(call).copied().unwrap_or(0);
        assert!(extra <= doubtful, "{extra} requests more than one, {doubtful} in doubt: {call}");
        let settled: Vec<_> =
            audit.ledger.iter().filter(|one| one.call == *call && one.usable).collect();
        assert_eq!(settled.len(), 1, "{call} is settled once");
        let is_before = arrivals.iter().all(|arrived_at| *arrived_at <= settled[0].at);
        assert!(is_before, "{call} was requested after its answer was stored");
    }
    let extra = log.len() - 200;
    assert!(extra <= KILLS * CONCURRENCY, "{extra} requests more than one for each item");
    assert!(extra > 0, "no kill struck a request under way, so this test shows nothing");
    assert!(server.most_at_once() <= 2 * CONCURRENCY);
}
