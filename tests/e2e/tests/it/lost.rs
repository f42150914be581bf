//! Jobs that kill their worker, and jobs that keep its threads.

use std::os::unix::process::ExitStatusExt as _;
use std::time::Duration;

use koinon_e2e::{Asked, Audit, Kit, Place, Reply, Server, Signal, Standing, Store};
use serde_json::{Value, json};
use tempfile::TempDir;

on_each_store! {
    a_job_that_kills_its_worker_each_time_fails_in_the_end
    work_that_keeps_every_thread_busy_for_three_leases_keeps_them
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_kit-worker");
const PATIENCE: Duration = Duration::from_secs(90);

/// The worker for tests on a database of its own.
struct Bench {
    _home: TempDir,
    place: Place,
    kit: Kit,
}

impl Bench {
    async fn on(store: Store, server: &Server) -> Self {
        let home = TempDir::new().unwrap();
        let place = store.place().in_folder(home.path());
        let mut kit = Kit::new(PROGRAM, home.path()).asking(server);
        kit = kit.env("KOINON_OPERATIONS__LEASE_FOR", "1s");
        if let Some(url) = place.url() {
            kit = kit.env("KOINON_DATABASE__URL", url);
            assert!(kit.migrate().await);
        }
        Self { _home: home, place, kit }
    }

    async fn submit(&self, jobs: &[Value]) {
        let submitted = self.kit.submit(jobs, ("KOINON_OPERATIONS__MAX_ATTEMPTS", "3")).await;
        assert_eq!(submitted.map(|jobs| jobs.len()), Some(jobs.len()));
    }

    async fn until(&self, wanted: impl Fn(&[Standing]) -> bool) -> Vec<Standing> {
        let looked = async {
            loop {
                let all = Audit::all_in(&self.place).await;
                let all: Vec<_> = all.into_iter().map(|one| one.standing).collect();
                if wanted(&all) {
                    return all;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let Ok(all) = tokio::time::timeout(PATIENCE, looked).await else {
            panic!("not within {PATIENCE:?}: {:#?}", Audit::all_in(&self.place).await);
        };
        all
    }
}

async fn nobody() -> Server {
    Server::start(|_: &Asked| -> Reply { panic!("nobody is asked") }).await
}

async fn a_job_that_kills_its_worker_each_time_fails_in_the_end(store: Store) {
    let bench = Bench::on(store, &nobody().await).await;
    bench.submit(&[json!({"kind": "abort", "key": "one", "input": {}})]).await;

    for _ in 0..3 {
        let mut worker = bench.kit.work(&[]);
        assert_eq!(worker.end().await.signal(), Some(Signal::KILL.as_raw()), "{}", worker.log());
    }
    let mut survivor = bench.kit.work(&[]);
    let ended = bench.until(|jobs| jobs[0].state == "failed").await.remove(0);

    assert_eq!(ended.error_code.as_deref(), Some("worker_lost"));
    assert_eq!((ended.lease_losses, ended.attempt), (3, 3));
    assert!(survivor.signal(Signal::TERM));
    assert_eq!(survivor.end().await.code(), Some(0), "{}", survivor.log());
}

async fn work_that_keeps_every_thread_busy_for_three_leases_keeps_them(store: Store) {
    let bench = Bench::on(store, &nobody().await).await;
    let job = |key: &str| json!({"kind": "spin", "key": key, "input": {"spin_ms": 3_500}});
    // As many as there are threads, and some more.
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let jobs: Vec<_> = (0..threads + 2).map(|number| job(&number.to_string())).collect();
    bench.submit(&jobs).await;
    let capacity = jobs.len().to_string();
    let variables = [("KOINON_OPERATIONS__ADMISSION__WORKER_CAPACITY", capacity.as_str())];

    let mut worker = bench.kit.work(&variables);
    bench.until(|jobs| jobs.iter().any(|job| job.generation > 0)).await;
    // Another one would take what is not kept.
    let mut other = bench.kit.work(&[]);
    let all = |jobs: &[Standing]| jobs.iter().all(|job| job.state == "succeeded");
    for job in bench.until(all).await {
        assert_eq!((job.generation, job.lease_losses), (1, 0), "{job:?}");
    }
    for worker in [&mut worker, &mut other] {
        assert!(worker.signal(Signal::TERM));
        assert_eq!(worker.end().await.code(), Some(0), "{}", worker.log());
    }
}
