//! The worker for tests does what chaos needs of it.

use std::os::unix::process::ExitStatusExt as _;
use std::time::Duration;

use koinon_e2e::{Asked, Kit, KitWorker, Reply, Server, Signal, Standing};
use serde_json::{Value, json};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_kit-worker");

fn kit(home: &TempDir, server: &Server) -> Kit {
    Kit::new(PROGRAM, home.path()).asking(server).env("KOINON_OPERATIONS__LEASE_FOR", "1s")
}

async fn submitted(kit: &Kit, jobs: &[Value]) {
    assert!(kit.submit(jobs, ("KOINON_OPERATIONS__MAX_ATTEMPTS", "3")).await.is_some());
}

/// Looks until the only job stands as `wanted` says.
async fn until(kit: &Kit, wanted: impl Fn(&Standing) -> bool) -> Standing {
    let deadline = Duration::from_secs(90);
    let looked = async {
        loop {
            if let Some(standing) = kit.standings().await.into_iter().find(|one| wanted(one)) {
                return standing;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let Ok(standing) = tokio::time::timeout(deadline, looked).await else {
        panic!("not within {deadline:?}: {:#?}", kit.standings().await);
    };
    standing
}

async fn drained(mut worker: KitWorker) {
    assert!(worker.signal(Signal::TERM));
    assert_eq!(worker.end().await.code(), Some(0), "{}", worker.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spending_job_succeeds_and_its_worker_drains() {
    let (home, server) = (TempDir::new().unwrap(), Server::answering().await);
    let kit = kit(&home, &server);
    let input = json!({"items": 3, "weigh_ms": 1});
    submitted(&kit, &[json!({"kind": "spend", "key": "one", "input": input})]).await;

    let mut worker = kit.work(&[]);
    let done = until(&kit, |job| job.state == "succeeded").await;

    assert_eq!((done.spent.calls, server.count()), (5, 5));
    assert_eq!(worker.worker_id().map(str::len), Some(32));
    drained(worker).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spending_job_pauses_where_its_budget_ends() {
    let (home, server) = (TempDir::new().unwrap(), Server::start(Reply::answer).await);
    let kit = kit(&home, &server);
    let input = json!({"items": 3, "weigh_ms": 1});
    submitted(&kit, &[json!({"kind": "spend", "key": "one", "input": input, "calls": 3})]).await;

    let worker = kit.work(&[]);
    let paused = until(&kit, |job| job.state == "paused").await;

    assert_eq!(paused.error_code.as_deref(), Some("budget_exhausted"));
    assert_eq!(server.count(), 3);
    drained(worker).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_aborting_job_kills_as_many_workers_as_it_was_told_to() {
    let never = |_: &Asked| -> Reply { panic!("an aborting job asks nobody") };
    let (home, server) = (TempDir::new().unwrap(), Server::start(never).await);
    let kit = kit(&home, &server);
    submitted(&kit, &[json!({"kind": "abort", "key": "two", "input": {"times": 2}})]).await;

    for _ in 0..2 {
        let mut worker = kit.work(&[]);
        assert_eq!(worker.end().await.signal(), Some(Signal::KILL.as_raw()));
    }
    let worker = kit.work(&[]);
    let done = until(&kit, |job| job.state == "succeeded").await;

    assert_eq!(done.lease_losses, 2);
    drained(worker).await;
}
