//! Crashes at other places than between calls.

use std::time::Duration;

use koinon_e2e::{Asked, Audit, Dataset, Koinon, Reply, Seed, Server, Store};

on_each_store! {
    a_kill_in_any_stage_changes_no_byte
    kills_leave_the_budget_unexceeded
    calls_that_take_longer_than_a_lease_keep_it
    a_job_whose_workers_are_always_lost_fails_in_the_end
    a_worker_that_is_killed_loses_no_job
}

const DEADLINE: Duration = Duration::from_secs(60);
const NANO_USD_A_CALL: i64 = 96_000;

async fn server_taking(delay: Duration) -> Server {
    Server::start(move |asked: &Asked| Reply::answer(asked).after(delay)).await
}

async fn a_kill_in_any_stage_changes_no_byte(store: Store) {
    let args = ["--json", "run", "dataset", "docs", "--out", "out", "--set", "target=120"];
    let calm = Koinon::on(store).having_corpus(120);
    let took = calm.run(&args).await.with_code(0).took;
    let dataset = Dataset::read(&calm, "out");

    let mut kills = 0;
    for part in 1..=10 {
        let koinon = Koinon::on(store).having_corpus(120).env("KOINON_OPERATIONS__LEASE_FOR", "1s");
        let process = koinon.start(&args);
        tokio::time::sleep(took * part / 11).await;
        kills += u32::from(process.kill().await);
        let _done = koinon.run(&args).await.with_code(0);

        assert_eq!(Dataset::read(&koinon, "out").files, dataset.files, "killed at {part}/11");
        assert_eq!(Audit::of(&koinon).await.items_of("generate"), 120);
    }
    assert!(kills >= 5, "only {kills} kills struck, so this test shows little");
}

async fn kills_leave_the_budget_unexceeded(store: Store) {
    let koinon = Koinon::on(store)
        .having_corpus(60)
        .env("KOINON_OPERATIONS__LEASE_FOR", "1s")
        .env("KOINON_OPERATIONS__MAX_ATTEMPTS", "25");
    let server = server_taking(Duration::from_millis(50)).await;
    let budget = 8_000_000;
    let args = Koinon::dataset(&server, &["--set", "target=60", "--budget-usd", "0.008"]);
    let mut seed = Seed::of("budget");

    for _ in 0..4 {
        let before = server.count();
        let process = koinon.start(&args);
        server.until_asked(before + 1).await;
        tokio::time::sleep(seed.up_to(Duration::from_millis(200))).await;
        assert!(process.kill().await);
        let standing = Audit::of(&koinon).await.standing;
        let all = standing.spent.cost + standing.reserved.cost + standing.in_doubt.cost;
        assert!(all <= budget, "{standing:#?}");
    }
    let ended = koinon.run(&args).await;

    let audit = Audit::of(&koinon).await;
    let standing = &audit.standing;
    assert!(standing.spent.cost + standing.in_doubt.cost <= budget, "{standing:#?}");
    assert!(i64::try_from(server.count()).unwrap() * NANO_USD_A_CALL <= budget);
    // What is in doubt stays charged, so the job may need more than it would have undisturbed.
    assert!(matches!(ended.code, Some(0 | 3)), "{ended}");
    let holds = audit.entries("in_doubt").len();
    assert!(holds > 0 && holds <= 4 * 4, "{holds} in doubt");
}

async fn calls_that_take_longer_than_a_lease_keep_it(store: Store) {
    let koinon = Koinon::on(store).having_corpus(4).env("KOINON_OPERATIONS__LEASE_FOR", "1s");
    let server = server_taking(Duration::from_secs(4)).await;

    let args = Koinon::dataset(&server, &["--set", "target=4"]);
    let report = koinon.run(&args).await.json_with_code(0);

    assert_eq!((&report["generation"], server.count()), (&1.into(), 4));
    assert_eq!(Audit::of(&koinon).await.standing.lease_losses, 0);
}

async fn a_job_whose_workers_are_always_lost_fails_in_the_end(store: Store) {
    let koinon = Koinon::on(store).having_corpus(8).env("KOINON_OPERATIONS__LEASE_FOR", "1s");
    let server = server_taking(Duration::from_secs(600)).await;
    let args = Koinon::dataset(&server, &["--set", "target=8"]);
    for attempt in 1..=3 {
        let process = koinon.start(&args);
        server.until_asked(attempt * 4).await;
        assert!(process.kill().await);
    }

    let report = koinon.start(&args).ended_within(DEADLINE).await.json_with_code(1);

    assert_eq!(
        (&report["state"], &report["error_code"]),
        (&"failed".into(), &"worker_lost".into())
    );
    assert_eq!(server.count(), 12, "no request without progress after the last attempt");
    let audit = Audit::of(&koinon).await;
    assert_eq!((audit.entries("in_doubt").len(), audit.standing.lease_losses), (12, 3));
}

async fn a_worker_that_is_killed_loses_no_job(store: Store) {
    let koinon = Koinon::on(store).having_corpus(30).env("KOINON_OPERATIONS__LEASE_FOR", "1s");
    let server = server_taking(Duration::from_millis(100)).await;
    let mut submit = Koinon::dataset(&server, &["--set", "target=30"]);
    submit[1] = "submit".to_owned();
    submit.retain(|word| word != "--out" && word != "out");
    let _submitted = koinon.run(&submit).await.with_code(0);
    let work = ["worker", "--once", "--base-url", &server.base_url(), "--prices", "prices.toml"];
    let worker = koinon.start(&work);
    server.until_answered(8).await;

    assert!(worker.kill().await);
    let _worked = koinon.run(&work).await.with_code(0);

    let audit = Audit::of(&koinon).await;
    assert_eq!((audit.standing.state.as_str(), audit.standing.lease_losses), ("succeeded", 1));
    assert!(server.count() - 30 <= audit.entries("in_doubt").len());
    let args = Koinon::dataset(&server, &["--set", "target=30"]);
    assert_eq!(koinon.run(&args).await.json_with_code(0)["calls_this_run"], 0);
    Dataset::read(&koinon, "out");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_pipe_ends_the_program_quietly() {
    let (koinon, server) = (Koinon::with_corpus(60), Server::answering().await);
    let _done = koinon.run(&Koinon::dataset(&server, &["--set", "target=60"])).await.with_code(0);
    let job = koinon.job().await;

    for args in [["job", "events", &job], ["job", "cost", &job], ["job", "list", "--json"]] {
        let line = r#"{ "$@"; echo "$?" >code; } | head -c 1 >/dev/null"#;
        let ended = koinon.start_in_shell(line, &args).ended_within(DEADLINE).await;

        let code = std::fs::read_to_string(koinon.path("code")).unwrap();
        assert_eq!((code.trim(), ended.stderr.as_str()), ("0", ""), "{ended}");
    }
}
