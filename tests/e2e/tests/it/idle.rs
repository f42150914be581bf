//! What workers cost that have nothing to do.

use std::time::Duration;

use koinon_cluster::Cluster;
use koinon_e2e::{Koinon, Place};
use tokio::time::Instant;

const WORKERS: usize = 3;
const WATCHED_FOR: Duration = Duration::from_secs(10);

/// At most so many statements a second may be of one worker, whatever begins and ends them included.
const STATEMENTS_A_SECOND: f64 = 1.2;

/// The statements of workers that the server has logged. The next lines of a statement begin with a tab.
fn statements(cluster: &Cluster) -> Vec<String> {
    let log = cluster.log().unwrap();
    let ours = log.lines().filter_map(|line| line.strip_prefix("koinon LOG:  "));
    let is_statement = |line: &&str| line.starts_with("statement:") || line.starts_with("execute");
    ours.filter(is_statement).map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_worker_costs_one_statement_a_second() {
    let cluster = Cluster::start().unwrap();
    for statement in [
        "CREATE DATABASE idle",
        "ALTER SYSTEM SET log_statement = 'all'",
        "ALTER SYSTEM SET log_line_prefix = '%a '",
        "SELECT pg_reload_conf()",
    ] {
        cluster.run("postgres", statement).unwrap();
    }
    let koinon = Koinon::at(Place::at(cluster.url("idle")));
    let workers: Vec<_> = (0..WORKERS).map(|_| koinon.start(&["worker"])).collect();
    let listening = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'";
    while cluster.run("idle", listening).unwrap() != WORKERS.to_string() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    // What they do once, at the start, is not what being idle costs.
    tokio::time::sleep(Duration::from_secs(2)).await;

    let (before, since) = (statements(&cluster).len(), Instant::now());
    tokio::time::sleep(WATCHED_FOR).await;
    let (all, watched_for) = (statements(&cluster), since.elapsed());

    let found = &all[before..];
    let workers_seen = u32::try_from(workers.len()).unwrap();
    let allowed = STATEMENTS_A_SECOND * f64::from(workers_seen) * watched_for.as_secs_f64();
    let count = f64::from(u32::try_from(found.len()).unwrap());
    assert!(count <= allowed, "{count} in {watched_for:?}, {allowed} allowed: {found:#?}");
    // Each has looked: the statements were counted at all.
    assert!(found.len() >= WORKERS, "{found:#?}");
    for worker in workers {
        assert!(worker.kill().await);
    }
}
