//! The worker as a process: how much it runs at once, how it ends, and what becomes of its children.

use std::path::Path;
use std::time::Duration;

use koinon_e2e::{Audit, Kit, KitWorker, Plan, Server, Signal, Store, roll};
use serde_json::{Value, json};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_kit-worker");

/// The longest that anything may take.
const PATIENCE: Duration = Duration::from_secs(90);

struct Place {
    home: TempDir,
    _server: Server,
    kit: Kit,
}

impl Place {
    async fn new(variables: &[(&str, &str)]) -> Self {
        let (home, server) = (TempDir::new().unwrap(), Server::answering().await);
        let mut kit = Kit::new(PROGRAM, home.path()).asking(&server);
        for (name, value) in variables {
            kit = kit.env(name, *value);
        }
        Self { home, _server: server, kit }
    }

    async fn submit(&self, jobs: &[Value]) {
        assert!(self.kit.submit(jobs, ("KOINON_OPERATIONS__MAX_ATTEMPTS", "3")).await.is_some());
    }

    async fn jobs(&self) -> Vec<Audit> {
        Audit::all_at(&self.home.path().join(".koinon/koinon.db")).await
    }

    /// Looks until every job is in this state.
    async fn until(&self, state: &str) -> Vec<Audit> {
        let looked = async {
            loop {
                let jobs = self.jobs().await;
                if jobs.iter().all(|job| job.standing.state == state) {
                    return jobs;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let Ok(jobs) = tokio::time::timeout(PATIENCE, looked).await else {
            panic!("not all are {state}: {:#?}", self.jobs().await);
        };
        jobs
    }
}

async fn exit(worker: &mut KitWorker) -> Option<i32> {
    tokio::time::timeout(PATIENCE, worker.end()).await.unwrap().code()
}

/// The most jobs that were held at once, as their histories say.
fn most_at_once(jobs: &[Audit]) -> usize {
    let mut changes = Vec::new();
    for event in jobs.iter().flat_map(|job| &job.events) {
        match event.name.as_str() {
            // Of a claim and an end at the same instant the end came first.
            "claimed" => changes.push((event.at, 1, 1)),
            "succeeded" | "handed_back" => changes.push((event.at, 0, -1)),
            _ => {}
        }
    }
    changes.sort_unstable();
    let (mut held, mut most) = (0, 0);
    for (_, _, change) in changes {
        held += change;
        most = most.max(held);
    }
    usize::try_from(most).unwrap()
}

/// Thirty jobs in three queues: they wait, keep their threads busy, and call inside of themselves.
fn thirty() -> Vec<Value> {
    let job = |kind: &str, n: u32, input: Value| json!({"kind": kind, "key": format!("{kind}-{n}"), "input": input});
    (0..10)
        .flat_map(|n| {
            [
                job("sleep", n, json!({"items": 2, "each_ms": 10})),
                job("spin", n, json!({"spin_ms": 20})),
                job("nest", n, json!({"depth": 3})),
            ]
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_of_capacity_one_runs_one_job_at_a_time_and_two_processes_two() {
    for processes in [1, 2] {
        let place = Place::new(&[]).await;
        place.submit(&thirty()).await;
        let mut workers: Vec<_> = (0..processes).map(|_| place.kit.work(&[])).collect();
        let jobs = place.until("succeeded").await;
        let most = most_at_once(&jobs);
        assert!((1..=processes).contains(&most), "{most} jobs at once in {processes} processes");
        for worker in &mut workers {
            assert!(worker.signal(Signal::TERM));
            assert_eq!(exit(worker).await, Some(0), "{}", worker.log());
        }
        let said: String = workers.iter().map(KitWorker::said).collect();
        let refused = r#"{"detached":"the operation that this call belongs to has ended"}"#;
        assert_eq!(said.lines().filter(|line| *line == refused).count(), 10, "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_keeps_its_thread_busy_keeps_its_lease() {
    let place = Place::new(&[("KOINON_OPERATIONS__LEASE_FOR", "1s")]).await;
    place.submit(&[json!({"kind": "spin", "key": "one", "input": {"spin_ms": 3_000}})]).await;
    let _worker = place.kit.work(&[]);
    let jobs = place.until("succeeded").await;
    assert_eq!((jobs[0].standing.lease_losses, jobs[0].standing.attempt), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_ignores_its_signal_is_handed_back_and_cut_at_the_hard_deadline() {
    let short =
        [("KOINON_OPERATIONS__DRAIN_FOR", "100ms"), ("KOINON_OPERATIONS__FLUSH_FOR", "100ms")];
    let place = Place::new(&short).await;
    place.submit(&[json!({"kind": "ignore_signal", "key": "one", "input": {}})]).await;
    let mut worker = place.kit.work(&[]);
    place.until("running").await;
    assert!(worker.signal(Signal::TERM));
    assert_eq!(exit(&mut worker).await, Some(1), "{}", worker.log());
    let standing = &place.jobs().await[0].standing;
    assert_eq!((standing.state.as_str(), standing.attempt), ("queued", 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_ends_the_worker_at_once() {
    let place = Place::new(&[("KOINON_OPERATIONS__DRAIN_FOR", "1h")]).await;
    let input = json!({"items": 1, "each_ms": 3_600_000});
    place.submit(&[json!({"kind": "sleep", "key": "one", "input": input})]).await;
    let mut worker = place.kit.work(&[("KOINON_LOG", "koinon=info")]);
    place.until("running").await;
    assert!(worker.signal(Signal::TERM));
    let draining = async {
        while !worker.log().contains("draining") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, draining).await.unwrap();
    assert!(worker.signal(Signal::TERM));
    assert_eq!(exit(&mut worker).await, Some(1));
}

/// How many processes have this word on their command line.
fn processes_with(word: &str) -> usize {
    let all = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let lines = all.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.filter(|line| line.split(|byte| *byte == 0).any(|part| part == word.as_bytes())).count()
}

async fn until_processes(word: &str, is_enough: impl Fn(usize) -> bool) {
    let looked = async {
        while !is_enough(processes_with(word)) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    if tokio::time::timeout(PATIENCE, looked).await.is_err() {
        panic!("{} processes have {word}", processes_with(word));
    }
}

/// A word that only the children of one test have.
fn word(number: u32) -> String {
    format!("3600.{}{number}", std::process::id())
}

fn family(sleep: &str, again: &str) -> Value {
    json!({"kind": "spawn_child", "key": "one", "input": {"sleep": sleep, "sleep_again": again}})
}

/// The guard, the shell, and three who sleep.
const FAMILY: usize = 5;

#[tokio::test(flavor = "multi_thread")]
async fn the_children_of_a_killed_worker_go_with_it_and_its_job_runs_elsewhere() {
    let place = Place::new(&[("KOINON_OPERATIONS__LEASE_FOR", "2s")]).await;
    let word = word(1);
    place.submit(&[family(&word, "0.1")]).await;
    let mut worker = place.kit.work(&[]);
    until_processes(&word, |count| count >= FAMILY).await;

    assert!(worker.signal(Signal::KILL));
    worker.end().await;
    until_processes(&word, |count| count == 0).await;

    let _other = place.kit.work(&[]);
    let jobs = place.until("succeeded").await;
    assert_eq!(jobs[0].standing.lease_losses, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_children_of_a_drained_worker_end_with_their_job_and_no_zombie_stays() {
    let short =
        [("KOINON_OPERATIONS__DRAIN_FOR", "100ms"), ("KOINON_OPERATIONS__FLUSH_FOR", "100ms")];
    let place = Place::new(&short).await;
    let word = word(2);
    place.submit(&[family(&word, "0.1")]).await;
    let mut worker = place.kit.work(&[]);
    until_processes(&word, |count| count >= FAMILY).await;
    assert!(worker.signal(Signal::TERM));
    assert_eq!(exit(&mut worker).await, Some(0), "{}", worker.log());
    until_processes(&word, |count| count == 0).await;

    let mut other = place.kit.work(&[]);
    let jobs = place.until("succeeded").await;
    assert_eq!((jobs[0].standing.lease_losses, jobs[0].standing.attempt), (0, 1));
    let threads = std::fs::read_dir(format!("/proc/{}/task", other.id())).unwrap();
    for thread in threads.filter_map(Result::ok) {
        // A thread that has ended meanwhile has no children.
        let children = std::fs::read_to_string(thread.path().join("children"));
        assert_eq!(children.unwrap_or_default(), "", "a zombie");
    }
    assert!(other.signal(Signal::TERM));
    assert_eq!(exit(&mut other).await, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_restart_spends_no_attempt_and_repeats_no_call() {
    let plan = Plan {
        store: Store::Sqlite,
        workers: 2,
        capacity: 4,
        jobs: 24,
        steps: 8,
        delay: Duration::from_millis(500),
        drain_for: "1s",
        pause: Duration::from_secs(1),
    };
    let seen = roll(Path::new(PROGRAM), plan).await;
    assert_eq!(seen.stopped.len(), 4, "{seen}");
}
