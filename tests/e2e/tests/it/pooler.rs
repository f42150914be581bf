//! Workers that reach their database by way of a pooler alone, which gives each transaction to another session, and
//! hear of work by looking.

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt as _;
use std::time::Duration;

use koinon_cluster::{Cluster, Pooler};
use koinon_e2e::{Asked, Audit, Kit, Place, Reply, Server, Signal, Standing, Store};
use serde_json::json;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_kit-worker");
const PATIENCE: Duration = Duration::from_secs(90);

/// So many calls a job makes whose input has this many items.
const ITEMS: usize = 6;
const CALLS: usize = ITEMS + 2;

/// A database, a pooler before it, and what workers need to know.
struct Bench {
    _home: TempDir,
    _pooler: Pooler,
    place: Place,
    server: Server,
    kit: Kit,
}

impl Bench {
    /// With one job, whose stages make paid calls one by one and for each item, and work on each item.
    async fn with_a_job() -> Self {
        let (home, place) = (TempDir::new().unwrap(), Store::Postgres.place());
        let pooler = Pooler::start(Cluster::shared().unwrap()).unwrap();
        let (_, database) = place.url().unwrap().rsplit_once('/').unwrap();
        let answer = |asked: &Asked| Reply::answer(asked).after(Duration::from_millis(200));
        let server = Server::start(answer).await;
        let kit = Kit::new(PROGRAM, home.path())
            .asking(&server)
            .env("KOINON_DATABASE__URL", pooler.url(database))
            .env("KOINON_STORE__POSTGRES__POOLER", "true")
            .env("KOINON_DATABASE__NOTIFICATIONS", "false")
            .env("KOINON_OPERATIONS__LEASE_FOR", "2s");
        assert!(kit.migrate().await);
        let job = json!({"kind": "spend", "key": "one", "input": {"items": ITEMS, "weigh_ms": 1}});
        assert!(kit.submit(&[job], ("KOINON_OPERATIONS__MAX_ATTEMPTS", "3")).await.is_some());
        Self { _home: home, _pooler: pooler, place, server, kit }
    }

    /// The job, once it has succeeded.
    async fn succeeded(&self) -> Audit {
        let looked = async {
            loop {
                let job = self.job().await;
                if job.standing.state == "succeeded" {
                    return job;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        match tokio::time::timeout(PATIENCE, looked).await {
            Ok(job) => job,
            Err(_) => panic!("it has not succeeded: {:#?}", self.job().await),
        }
    }

    /// The job, as the server itself has it.
    async fn job(&self) -> Audit {
        Audit::all_in(&self.place).await.remove(0)
    }

    /// How many calls were asked for, whatever the number of requests.
    fn distinct_calls(&self) -> usize {
        let keys = self.server.requests().into_iter().map(|one| one.asked.key);
        keys.collect::<BTreeSet<_>>().len()
    }
}

/// Each stage has its result, and each item of those that have items.
fn is_whole(job: &Audit) {
    assert_eq!((job.items_of("write"), job.items_of("weigh")), (ITEMS, ITEMS));
    let stages: BTreeSet<_> = job.checkpoints.iter().map(|one| one.stage.as_str()).collect();
    assert_eq!(stages, ["plan", "write", "weigh", "bind"].into());
    assert_eq!(job.entries("settled").len(), CALLS);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_job_is_done_behind_a_transaction_pooler() {
    let bench = Bench::with_a_job().await;
    let mut worker = bench.kit.work(&[]);
    let job = bench.succeeded().await;

    is_whole(&job);
    assert_eq!((bench.server.count(), bench.distinct_calls()), (CALLS, CALLS));
    let Standing { generation, lease_losses, open_holds, .. } = job.standing;
    assert_eq!((generation, lease_losses, open_holds), (1, 0, 0));
    assert!(worker.signal(Signal::TERM));
    assert_eq!(worker.end().await.code(), Some(0), "{}", worker.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_killed_behind_a_transaction_pooler_is_recovered() {
    let bench = Bench::with_a_job().await;
    let mut killed = bench.kit.work(&[]);
    bench.server.until_answered(CALLS / 2).await;
    assert!(killed.signal(Signal::KILL));
    assert_eq!(killed.end().await.signal(), Some(Signal::KILL.as_raw()));
    let mut worker = bench.kit.work(&[]);
    let job = bench.succeeded().await;

    is_whole(&job);
    let Standing { generation, lease_losses, open_holds, .. } = job.standing;
    // Recovery takes the lease under a generation of its own.
    assert_eq!((generation, lease_losses, open_holds), (3, 1, 0));
    let doubtful = job.entries("in_doubt").len();
    assert!(doubtful <= 2, "{doubtful} calls were in the air at once");
    assert_eq!(bench.distinct_calls(), CALLS);
    assert!(bench.server.count() - CALLS <= doubtful, "an answer that was stored was asked for");
    assert!(worker.signal(Signal::TERM));
    assert_eq!(worker.end().await.code(), Some(0), "{}", worker.log());
}
