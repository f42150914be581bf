//! A database that goes away, stands in the way or has no space: the worker stays, and the jobs come to
//! their end.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use koinon_cluster::{Cluster, Disk, Setup};
use koinon_e2e::{Asked, Audit, Dataset, Koinon, Place, Process, Reply, Server, Signal};
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;

const PATIENCE: Duration = Duration::from_secs(90);
const LEASE_FOR: &str = "8s";

/// A worker with a cluster of its own.
struct Outage {
    cluster: Cluster,
    server: Server,
    koinon: Koinon,
}

impl Outage {
    async fn on(setup: Setup, items: usize) -> Self {
        let cluster = Cluster::start_as(setup).unwrap();
        cluster.run("postgres", "CREATE DATABASE jobs").unwrap();
        let koinon = Koinon::at(Place::at(cluster.url("jobs"))).having_corpus(items);
        let koinon = koinon.env("KOINON_OPERATIONS__LEASE_FOR", LEASE_FOR);
        let reply = |asked: &Asked| Reply::answer(asked).after(Duration::from_millis(250));
        Self { cluster, server: Server::start(reply).await, koinon }
    }

    fn work(&self) -> Process {
        let base_url = self.server.base_url();
        self.koinon.start(&["worker", "--base-url", &base_url, "--prices", "prices.toml"])
    }

    /// Submits a job that differs from the others by its seed.
    async fn submit(&self, items: usize, seed: usize) {
        let (target, seed) = (format!("target={items}"), format!("seed={seed}"));
        let more = ["--set", &target, "--set", "concurrency=1", "--set", &seed];
        let mut submit = Koinon::dataset(&self.server, &more);
        submit[1] = "submit".to_owned();
        submit.retain(|word| word != "--out" && word != "out");
        let _submitted = self.koinon.run(&submit).await.with_code(0);
    }

    async fn connection(&self) -> PgConnection {
        PgConnection::connect(self.koinon.place().url().unwrap()).await.unwrap()
    }

    /// Waits until a statement says that it is so.
    async fn until(&self, what: &str, statement: &'static str) {
        let waited = async {
            let mut connection = self.connection().await;
            let ask = || sqlx::query_scalar::<_, bool>(statement);
            while !ask().fetch_one(&mut connection).await.unwrap() {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        if tokio::time::timeout(PATIENCE, waited).await.is_err() {
            let jobs = Audit::all(&self.koinon).await;
            panic!("not {what} within {PATIENCE:?}: {:#?}", jobs.last());
        }
    }

    async fn until_all_have_succeeded(&self) {
        let all = "SELECT count(*) FILTER (WHERE state <> 'succeeded') = 0 FROM standings";
        self.until("all succeeded", all).await;
    }
}

/// The worker is still the one that was started, and drains.
async fn drained(mut worker: Process) {
    assert!(!worker.has_ended(), "the worker has ended by itself: {}", worker.stderr());
    worker.signal(Signal::TERM);
    let _ended = worker.ended_within(Duration::from_secs(40)).await.with_code(0);
}

fn distinct_keys(server: &Server) -> usize {
    server.requests().into_iter().map(|one| one.asked.key).collect::<BTreeSet<_>>().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_restarts_at_any_point_of_a_job_repeats_no_settled_call() {
    const ITEMS: usize = 3;
    let outage = Outage::on(Setup::lasting(), ITEMS).await;
    let worker = outage.work();
    let points: [(&str, Option<&'static str>); 6] = [
        ("claimed", Some("SELECT count(*) > 0 FROM runs WHERE generation > 0")),
        ("started", Some("SELECT count(*) > 0 FROM runs WHERE state = 'running'")),
        ("reserved", Some("SELECT count(*) > 0 FROM runs WHERE open_holds > 0")),
        ("answered", None),
        ("settled", Some("SELECT count(*) > 0 FROM runs WHERE spent_calls > 1")),
        (
            "ending",
            Some("SELECT count(*) > 0 FROM runs WHERE spent_calls = 3 OR state <> 'running'"),
        ),
    ];
    for (number, (point, statement)) in points.into_iter().enumerate() {
        let answered = number * ITEMS;
        outage.submit(ITEMS, number).await;
        match statement {
            Some(statement) => outage.until(point, statement).await,
            None => {
                let (server, ended) = (&outage.server, koinon_e2e::Outcome::Responded);
                let count = |log: &[koinon_e2e::Logged]| {
                    log.iter().filter(|one| one.outcome == ended).count()
                };
                server.until("an answer", |log| count(log) > answered).await;
            }
        }
        outage.cluster.restart_immediately().unwrap();
        outage.until_all_have_succeeded().await;
    }

    let jobs = Audit::all(&outage.koinon).await;
    assert_eq!(jobs.len(), 6);
    let mut in_doubt = 0;
    for job in &jobs {
        let doubtful = job.entries("in_doubt").len();
        assert!(doubtful <= 1, "one call was in the air, {doubtful} are in doubt: {job:#?}");
        assert_eq!(job.items_of("generate"), ITEMS);
        in_doubt += doubtful;
    }
    let asked = outage.server.count();
    assert_eq!(distinct_keys(&outage.server), 6 * ITEMS);
    assert!(asked - 6 * ITEMS <= in_doubt, "{asked} requests, {in_doubt} in doubt");
    drained(worker).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadlock_with_somebody_else_is_tried_again() {
    let outage = Outage::on(Setup::lasting(), 12).await;
    let asked_before = AtomicUsize::new(0);
    let firsts_are_late = move |asked: &Asked| {
        let is_first = asked_before.fetch_add(1, Ordering::Relaxed) < 2;
        Reply::answer(asked).after(Duration::from_millis(if is_first { 10_000 } else { 250 }))
    };
    let outage = Outage {
        server: Server::start(firsts_are_late).await,
        koinon: outage.koinon.env("KOINON_OPERATIONS__ADMISSION__WORKER_CAPACITY", "2"),
        ..outage
    };
    for seed in 0..2 {
        outage.submit(12, seed).await;
    }
    let worker = outage.work();
    // Both wait for their first answers, so that nothing but the heartbeat writes to their rows. A server looks for a
    // deadlock once for each wait, so one that a commit was part of for longer would not be seen.
    outage.server.until_asked(2).await;

    // The worker locks its jobs in the order of their ids, this one in the opposite order. It never looks for
    // a deadlock itself, so that the worker's statement is the one that is taken back.
    let mut other = outage.connection().await;
    sqlx::raw_sql("SET deadlock_timeout = '10min'; BEGIN").execute(&mut other).await.unwrap();
    let last =
        "SELECT 1 FROM runs WHERE job_id = (SELECT max(job_id::text)::uuid FROM runs) FOR UPDATE";
    let first =
        "SELECT 1 FROM runs WHERE job_id = (SELECT min(job_id::text)::uuid FROM runs) FOR UPDATE";
    sqlx::raw_sql(last).execute(&mut other).await.unwrap();
    let waits = "SELECT count(*) > 0 FROM pg_stat_activity JOIN pg_locks USING (pid)
        WHERE application_name = 'koinon' AND query LIKE '%held AS MATERIALIZED%' AND NOT granted";
    outage.until("the heartbeat waits", waits).await;
    sqlx::raw_sql(first).execute(&mut other).await.unwrap();
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();

    outage.until_all_have_succeeded().await;
    outage
        .until("a deadlock", "SELECT deadlocks > 0 FROM pg_stat_database WHERE datname = 'jobs'")
        .await;
    for job in Audit::all(&outage.koinon).await {
        assert_eq!((job.standing.generation, job.standing.lease_losses), (1, 0));
    }
    assert_eq!((outage.server.count(), distinct_keys(&outage.server)), (24, 24));
    drained(worker).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_heartbeat_that_waits_for_half_a_lease_costs_nothing() {
    let outage = Outage::on(Setup::lasting(), 30).await;
    outage.submit(30, 0).await;
    let worker = outage.work();
    outage.until("it runs", "SELECT count(*) > 0 FROM runs WHERE spent_calls > 1").await;

    let mut other = outage.connection().await;
    sqlx::raw_sql("BEGIN; SELECT 1 FROM runs FOR UPDATE").execute(&mut other).await.unwrap();
    let waits = "SELECT count(*) > 0 FROM pg_stat_activity JOIN pg_locks USING (pid)
        WHERE application_name = 'koinon' AND query LIKE '%held AS MATERIALIZED%' AND NOT granted";
    outage.until("the heartbeat waits", waits).await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();

    outage.until_all_have_succeeded().await;
    let job = Audit::of(&outage.koinon).await;
    assert_eq!((job.standing.generation, job.standing.lease_losses), (1, 0));
    assert!(job.entries("in_doubt").is_empty());
    assert_eq!((outage.server.count(), distinct_keys(&outage.server)), (30, 30));
    drained(worker).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_connections_serve_sixteen_jobs_at_once() {
    let outage = Outage::on(Setup::default(), 4).await;
    let koinon = outage.koinon.env("KOINON_DATABASE__MAX_CONNECTIONS", "2");
    let koinon = koinon.env("KOINON_OPERATIONS__ADMISSION__WORKER_CAPACITY", "16");
    let outage = Outage { koinon, ..outage };
    for seed in 0..16 {
        outage.submit(4, seed).await;
    }
    let worker = outage.work();
    outage.until("many run", "SELECT count(*) > 8 FROM runs WHERE state = 'running'").await;

    // Beside the two that jobs have, two are kept for heartbeats and one listens for hints.
    let more = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'koinon'";
    let mut connection = outage.connection().await;
    let count: i64 = sqlx::query_scalar(more).fetch_one(&mut connection).await.unwrap();
    assert!(count <= 5, "{count} connections");
    outage.until_all_have_succeeded().await;
    for job in Audit::all(&outage.koinon).await {
        assert_eq!((job.standing.generation, job.standing.lease_losses), (1, 0));
    }
    assert_eq!((outage.server.count(), distinct_keys(&outage.server)), (64, 64));
    drained(worker).await;
}

/// A job whose database runs out of space goes on when there is space again.
async fn space_that_comes_back_finishes_the_job(disk: Disk) {
    const ITEMS: usize = 40;
    let outage = Outage::on(Setup::on_disk(disk, 80), ITEMS).await;
    outage.submit(ITEMS, 0).await;
    let worker = outage.work();
    outage.until("it runs", "SELECT count(*) > 0 FROM runs WHERE spent_calls > 1").await;

    outage.cluster.fill_disk().unwrap();
    let told = async {
        while !["No space left", "disk_full", "did not reach the store", "not be looked at"]
            .iter()
            .any(|words| worker.stderr().contains(words))
        {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let is_told = tokio::time::timeout(PATIENCE, told).await.is_ok();
    assert!(is_told, "nothing failed for want of space: {}", worker.stderr());
    outage.cluster.free_disk().unwrap();
    if outage.cluster.run("postgres", "SELECT 1").is_err() {
        // It cannot write its log of changes and is gone: somebody has to start it.
        outage.cluster.restart_immediately().unwrap();
    }

    outage.until_all_have_succeeded().await;
    let job = Audit::of(&outage.koinon).await;
    assert_eq!(job.items_of("generate"), ITEMS);
    let (asked, doubtful) = (outage.server.count(), job.entries("in_doubt").len());
    assert!(asked - ITEMS <= doubtful, "{asked} requests, {doubtful} in doubt");
    let target = format!("target={ITEMS}");
    let more = ["--set", &target, "--set", "concurrency=1", "--set", "seed=0"];
    let report = outage.koinon.run(&Koinon::dataset(&outage.server, &more)).await.json_with_code(0);
    assert_eq!(report["calls_this_run"], 0);
    Dataset::read(&outage.koinon, "out");
    drained(worker).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_of_tables_is_waited_for() {
    space_that_comes_back_finishes_the_job(Disk::Tables).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_that_takes_the_server_along_is_waited_for() {
    space_that_comes_back_finishes_the_job(Disk::Everything).await;
}
