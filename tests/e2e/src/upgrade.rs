//! An upgrade under load: the schema gets newer while workers of an older version run, and then these are replaced,
//! one after another, by workers of the newer version.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout};

use crate::audit::Audit;
use crate::load::{Held, Load, PATIENCE, Plan, stop, until_working};
use crate::{KitWorker, Store};

/// The two versions.
#[derive(Debug, Clone)]
pub struct Programs {
    /// The worker of the older version.
    pub older: PathBuf,
    /// The worker of the newer version.
    pub newer: PathBuf,
    /// The command line of the newer version, which migrates.
    pub koinon: PathBuf,
}

/// What was seen, besides that every promise held.
#[derive(Debug, Clone, Serialize)]
pub struct Upgraded {
    /// What kept the jobs.
    pub store: &'static str,
    /// The schema of the older version, and that of the newer one.
    pub schema: [u32; 2],
    /// How many jobs there were; each succeeded, with no attempt spent and no lease lost.
    pub jobs: usize,
    /// How many requests reached the provider; none was repeated.
    pub calls: usize,
    /// How often a job was handed back.
    pub handed_back: usize,
    /// How many jobs were begun by a worker of the older version and ended by one of the newer.
    pub begun_by_older_ended_by_newer: usize,
    /// How many checkpoints the older version made on the newer schema before the first worker was replaced.
    pub checkpoints_of_older_on_newer_schema: usize,
    /// What a worker of the older version says that is started after the migration.
    pub older_is_refused: String,
    /// How long the migration took, in milliseconds.
    pub migrated_in_ms: u128,
    /// How long the slowest worker took from the signal to its end, in milliseconds.
    pub slowest_stop_ms: u128,
    /// How long all of it took.
    pub seconds: u64,
}

const VERSION: &str = "SELECT CAST(max(version) AS TEXT) FROM schema_migrations";
const CHECKPOINTS: &str = "SELECT stage FROM checkpoints";

/// Upgrades as docs/operations.md tells, and holds what comes of it against the promises: workers of the older
/// version that run go on after the migration, one that starts refuses, both versions work side by side, every
/// job succeeds, no attempt is spent, no lease is lost, and no call is repeated or in doubt.
pub async fn upgrade(programs: &Programs, plan: Plan) -> Upgraded {
    let began = Instant::now();
    let load = Load::new(&programs.older, plan).await;
    let (older, newer) = (load.kit.clone(), load.kit.of_version(&programs.newer));
    let (half, jobs) = (load.plan.jobs / 2, load.plan.jobs);
    let before = version(&load).await;
    load.submit(&older, 0..half).await;
    let mut workers: Vec<_> = (0..load.plan.workers).map(|_| older.work(&[])).collect();
    load.until_ended(1).await;
    sleep(load.plan.pause).await;

    let migrated = migrate(&load, programs).await;
    let after = version(&load).await;
    assert!(before < after, "the schema of the older version is no older: {before}, {after}");
    let older_is_refused = older.refused().await;
    assert_eq!(older_is_refused, "schema_mismatch");
    load.submit(&newer, half..jobs).await;

    let made = checkpoints(&load).await;
    load.until(CHECKPOINTS, made + load.plan.workers * load.plan.capacity).await;
    let made = checkpoints(&load).await - made;
    let mut stopped = Vec::new();
    for number in 0..load.plan.workers {
        sleep(load.plan.pause).await;
        workers.push(newer.work(&[]));
        stopped.push(stop(&mut workers[number]).await);
    }
    load.until_ended(jobs).await;
    let (old, new) = workers.split_at_mut(load.plan.workers);
    for worker in &mut *new {
        stopped.push(stop(worker).await);
    }

    let Held { calls, handed_back } = load.held().await;
    Upgraded {
        store: match load.plan.store {
            Store::Sqlite => "sqlite",
            Store::Postgres => "postgres",
        },
        schema: [before, after],
        jobs,
        calls,
        handed_back,
        begun_by_older_ended_by_newer: handed_over(&load, old, new).await,
        checkpoints_of_older_on_newer_schema: made,
        older_is_refused,
        migrated_in_ms: migrated.as_millis(),
        slowest_stop_ms: stopped.iter().max().copied().unwrap_or_default().as_millis(),
        seconds: began.elapsed().as_secs(),
    }
}

/// Runs `koinon migrate` of the newer version while the others work; how long it took.
async fn migrate(load: &Load, programs: &Programs) -> Duration {
    let began = Instant::now();
    let mut migrating = load.kit.beside(&programs.koinon, &["migrate"]);
    let ended = timeout(PATIENCE, migrating.end()).await.unwrap();
    assert_eq!(ended.code(), Some(0), "koinon migrate: {}", migrating.log());
    began.elapsed()
}

async fn version(load: &Load) -> u32 {
    load.place.ask(VERSION, VERSION).await[0].parse().unwrap()
}

async fn checkpoints(load: &Load) -> usize {
    load.place.ask(CHECKPOINTS, CHECKPOINTS).await.len()
}

/// How many jobs were claimed by one of the first workers first and by one of the others last.
async fn handed_over(load: &Load, first: &mut [KitWorker], last: &mut [KitWorker]) -> usize {
    let (first, last) = (ids(first).await, ids(last).await);
    let audits = Audit::all_in(&load.place).await;
    let claimants = audits.iter().map(|job| {
        let claims = job.events("claimed");
        let claims =
            claims.iter().map(|event| serde_json::from_str::<Value>(&event.detail).unwrap());
        claims.map(|detail| detail["worker"].as_str().unwrap().replace('-', "")).collect::<Vec<_>>()
    });
    claimants
        .filter(|all| all.first().is_some_and(|one| first.contains(one)))
        .filter(|all| all.last().is_some_and(|one| last.contains(one)))
        .count()
}

async fn ids(workers: &mut [KitWorker]) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for worker in workers {
        until_working(worker).await;
        ids.extend(worker.worker_id().map(str::to_owned));
    }
    ids
}
