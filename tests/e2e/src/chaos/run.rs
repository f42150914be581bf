//! A run: the jobs are submitted, the workers are harmed while they work, what is left is finished in
//! peace, and then the checker looks.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use koinon_cluster::Cluster;
use serde_json::json;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _};
use tokio::time::Instant;

use super::check::check;
use super::database::{Database, NAME};
use super::evidence::Evidence;
use super::fleet::Fleet;
use super::folder::Folder;
use super::havoc::Havoc;
use super::jobs::numbered;
use super::plan::Plan;
use super::report::Report;
use crate::kit::Kit;
use crate::seed::Seed;
use crate::server::{Asked, Reply, Server, answer_to};
use crate::store::Store;

/// The shortest time after which the provider answers, and how much longer it may take.
const ANSWER_AFTER: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(480));

/// What a worker logs for each write that the fence refused.
const STALE: &str = "a stale write was refused";

/// So many jobs are submitted at once. While there is harm to be done hardly any waits, so that a job whose
/// worker was stopped is taken over by another one before that one wakes up.
const BATCH: usize = 5;

/// So many are submitted at once when there is no harm to be done any more.
const LAST_BATCH: usize = 100;

/// So many jobs a worker runs at once.
const CAPACITY: usize = 4;

/// So often the database is asked how far the jobs are.
const ASK_EVERY: Duration = Duration::from_millis(300);

/// Does what the plan says.
///
/// # Panics
///
/// If the machine does not let it, such as when there is no Postgres to start.
pub async fn run(plan: &Plan) -> Report {
    let home = Folder::new();
    let server = Server::start(answers(plan.seed)).await;
    let database = database(plan.store, home.path()).await;
    let kit = kit(plan, home.path(), &database).asking(&server);
    assert!(kit.migrate().await, "the database could not be made ready");

    let mut submitter = Submitter { kit: &kit, next: 0, submitted: BTreeSet::new() };
    submitter.submit_up_to(3 * BATCH).await;
    let mut fleet = Fleet::start(&kit, &database, plan.workers).await;
    fleet.until_started().await;
    let is_over = AtomicBool::new(false);
    let harm = async {
        let done = Havoc::new(plan, &kit, &database).wreak(&mut fleet).await;
        is_over.store(true, Ordering::Relaxed);
        done
    };
    let (done, ()) = tokio::join!(harm, submitter.keep_busy(&database, plan, &is_over));
    submitter.submit_up_to(plan.jobs).await;
    settle(plan, &kit, &database, &mut fleet).await;
    fleet.drain().await;

    let artifacts = home.path().join("artifacts");
    let records = database.records().await.unwrap();
    let log = server.requests();
    let evidence = Evidence::gather(submitter.submitted, records, &log, &artifacts);
    let findings = check(&evidence);
    let stale_writes_refused = kit.logged(STALE);
    let seen = fleet.seen;
    let mut report = Report {
        seed: plan.seed,
        done,
        seen,
        evidence,
        findings,
        stale_writes_refused,
        left: None,
    };
    home.settle(plan.keep, &database, &log, &mut report);
    report
}

/// Every request is answered, some after a while, and some with more than a row holds.
fn answers(seed: u64) -> impl Fn(&Asked) -> Reply + Send + Sync + 'static {
    move |asked| {
        let mut answer = answer_to(&asked.passage);
        if asked.passage.ends_with("write 0.") {
            answer["thoughts"] = "so many words ".repeat(1_000).into();
        }
        let usage = json!({"prompt_tokens": 40, "completion_tokens": 30, "total_tokens": 70});
        let (shortest, more) = ANSWER_AFTER;
        let mut seed = Seed::of(&format!("{seed} {} {}", asked.key, asked.number));
        Reply::completion(asked, &answer, &usage).after(shortest + seed.up_to(more))
    }
}

async fn database(store: Store, home: &Path) -> Database {
    match store {
        Store::Sqlite => Database::Sqlite(home.join("koinon.db")),
        Store::Postgres => {
            let start = || Cluster::start_durable().unwrap();
            let cluster = tokio::task::spawn_blocking(start).await.unwrap();
            let mut connection = PgConnection::connect(&cluster.url("postgres")).await.unwrap();
            let create = AssertSqlSafe(format!("CREATE DATABASE {NAME}"));
            sqlx::query(create).execute(&mut connection).await.unwrap();
            connection.close().await.unwrap();
            Database::Postgres(Arc::new(cluster))
        }
    }
}

fn kit(plan: &Plan, home: &Path, database: &Database) -> Kit {
    let milliseconds = |time: Duration| format!("{}ms", time.as_millis());
    Kit::new(&plan.program, home)
        .env("KOINON_DATABASE__URL", database.url())
        .env("KOINON_ARTIFACTS__URL", format!("file://{}/artifacts", home.display()))
        .env("KOINON_OPERATIONS__LEASE_FOR", milliseconds(plan.lease_for))
        .env("KOINON_OPERATIONS__DRAIN_FOR", "1s")
        .env("KOINON_OPERATIONS__FLUSH_FOR", "2s")
        .env("KOINON_OPERATIONS__ADMISSION__WORKER_CAPACITY", CAPACITY.to_string())
        .env("KOINON_DATABASE__MAX_CONNECTIONS", CAPACITY.to_string())
}

/// Submits jobs, as many as there is time for.
#[derive(Debug)]
struct Submitter<'a> {
    kit: &'a Kit,
    next: usize,
    submitted: BTreeSet<String>,
}

impl Submitter<'_> {
    async fn submit_up_to(&mut self, count: usize) {
        while self.next < count {
            let batch = LAST_BATCH.min(count - self.next);
            assert!(self.submit(batch).await, "jobs could not be submitted");
        }
    }

    /// Submits the next ones; whether that worked. They are submitted again if it did not.
    async fn submit(&mut self, count: usize) -> bool {
        let until = self.next + count;
        let (aborts, spends) = numbered(self.next..until);
        // A job that spends is to end by what it does, however often its workers are lost.
        for (jobs, attempts) in [(aborts, "3"), (spends, "100")] {
            if jobs.is_empty() {
                continue;
            }
            let variable = ("KOINON_OPERATIONS__MAX_ATTEMPTS", attempts);
            let Some(ids) = self.kit.submit(&jobs, variable).await else { return false };
            self.submitted.extend(ids);
        }
        self.next = until;
        true
    }

    /// Sees to it that work waits until there is no more harm to be done.
    async fn keep_busy(&mut self, database: &Database, plan: &Plan, is_over: &AtomicBool) {
        // No more than can be run at once.
        let wanted = (plan.workers * CAPACITY).saturating_sub(BATCH);
        while !is_over.load(Ordering::Relaxed) {
            if database.unsettled().await.is_ok_and(|unsettled| unsettled <= wanted) {
                // The database may be gone just now; then it is tried again.
                self.submit(BATCH).await;
            }
            tokio::time::sleep(ASK_EVERY).await;
        }
    }
}

/// Waits until every job has ended or paused, or until none did so for too long.
async fn settle(plan: &Plan, kit: &Kit, database: &Database, fleet: &mut Fleet) {
    let (mut least, mut until) = (usize::MAX, Instant::now() + plan.settle_for);
    while Instant::now() < until {
        fleet.mend(kit);
        if let Ok(unsettled) = database.unsettled().await {
            if unsettled == 0 {
                return;
            }
            if unsettled < least {
                (least, until) = (unsettled, Instant::now() + plan.settle_for);
            }
        }
        tokio::time::sleep(ASK_EVERY).await;
    }
}
