//! Several processes on one database.

use std::collections::BTreeSet;
use std::time::Duration;

use koinon_e2e::{Asked, Audit, Dataset, Koinon, Reply, Server, Signal, Store};

on_each_store! {
    two_runs_of_one_job_end_alike_and_ask_once
    a_follower_takes_over_from_a_driver_that_was_killed
    a_worker_that_stood_still_writes_nothing_over_its_replacement
    two_workers_do_each_of_ten_jobs_once
}

const DEADLINE: Duration = Duration::from_secs(60);

async fn server_taking(delay: Duration) -> Server {
    Server::start(move |asked: &Asked| Reply::answer(asked).after(delay)).await
}

fn distinct_keys(server: &Server) -> usize {
    server.requests().into_iter().map(|one| one.asked.key).collect::<BTreeSet<_>>().len()
}

async fn two_runs_of_one_job_end_alike_and_ask_once(store: Store) {
    let koinon = Koinon::on(store).having_corpus(40);
    let server = server_taking(Duration::from_millis(50)).await;
    let args = Koinon::dataset(&server, &["--set", "target=40"]);
    let mut elsewhere = args.clone();
    let out = elsewhere.iter().position(|word| word == "out").unwrap();
    elsewhere[out] = "other".to_owned();

    // One starts at the same time, another when the job is under way.
    let (one, two) = (koinon.start(&args), koinon.start(&elsewhere));
    server.until_asked(10).await;
    let three = koinon.start(&args);
    let mut calls = 0;
    for process in [one, two, three] {
        let report = process.ended_within(DEADLINE).await.json_with_code(0);
        assert_eq!(report["state"], "succeeded");
        calls += report["calls_this_run"].as_u64().unwrap();
    }

    assert_eq!((server.count(), distinct_keys(&server), calls), (40, 40, 40));
    assert!(server.most_at_once() <= 4);
    assert_eq!(Dataset::read(&koinon, "out").files, Dataset::read(&koinon, "other").files);
    let audit = Audit::of(&koinon).await;
    assert_eq!((audit.standing.generation, audit.standing.lease_losses), (1, 0));
}

async fn a_follower_takes_over_from_a_driver_that_was_killed(store: Store) {
    let koinon = Koinon::on(store).having_corpus(40).env("KOINON_OPERATIONS__LEASE_FOR", "2s");
    let server = server_taking(Duration::from_millis(100)).await;
    let args = Koinon::dataset(&server, &["--set", "target=40"]);
    let driver = koinon.start(&args);
    server.until_answered(4).await;
    let follower = koinon.start(&args);
    server.until_answered(8).await;

    assert!(driver.kill().await);
    let report = follower.ended_within(DEADLINE).await.json_with_code(0);

    assert_eq!(report["state"], "succeeded");
    assert_eq!(distinct_keys(&server), 40);
    let audit = Audit::of(&koinon).await;
    assert_eq!(audit.standing.lease_losses, 1);
    assert!(server.count() - 40 <= audit.entries("in_doubt").len());
}

async fn a_worker_that_stood_still_writes_nothing_over_its_replacement(store: Store) {
    let koinon = Koinon::on(store).having_corpus(60).env("KOINON_OPERATIONS__LEASE_FOR", "2s");
    let server = server_taking(Duration::from_millis(100)).await;
    let args = Koinon::dataset(&server, &["--set", "target=60"]);
    let stopped = koinon.start(&args);
    server.until_answered(8).await;
    koinon.freeze(&stopped).await;

    let replacement = koinon.start(&args);
    server.until_answered(20).await;
    stopped.signal(Signal::CONT);
    let report = replacement.ended_within(DEADLINE).await.json_with_code(0);
    let followed = stopped.ended_within(DEADLINE).await.json_with_code(0);

    assert_eq!(report["job_id"], followed["job_id"]);
    let audit = Audit::of(&koinon).await;
    assert_eq!((audit.standing.lease_losses, audit.items_of("generate")), (1, 60));
    assert!(server.count() - 60 <= audit.entries("in_doubt").len());
    Dataset::read(&koinon, "out");
}

async fn two_workers_do_each_of_ten_jobs_once(store: Store) {
    let koinon = Koinon::on(store);
    let server = server_taking(Duration::from_millis(30)).await;
    koinon_e2e::corpus(&koinon.path("docs"), 4);
    for number in 0..10 {
        let seed = format!("seed={number}");
        let mut submit = Koinon::dataset(&server, &["--set", "target=4", "--set", &seed]);
        submit[1] = "submit".to_owned();
        submit.retain(|word| word != "--out" && word != "out");
        assert_eq!(koinon.run(&submit).await.json_with_code(0)["state"], "queued");
    }

    let work = ["worker", "--once", "--base-url", &server.base_url(), "--prices", "prices.toml"];
    let workers = [(); 2].map(|()| koinon.start(&work));
    for worker in workers {
        let _done = worker.ended_within(DEADLINE).await.with_code(0);
    }

    let jobs = Audit::all(&koinon).await;
    assert_eq!(jobs.len(), 10);
    for job in jobs {
        let standing = &job.standing;
        assert_eq!((standing.state.as_str(), standing.generation), ("succeeded", 1));
        assert_eq!((job.entries("settled").len(), job.entries("reserved").len()), (4, 4));
    }
    assert_eq!((server.count(), distinct_keys(&server)), (40, 40));
}
