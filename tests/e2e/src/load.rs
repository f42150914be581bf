//! Work under which workers are restarted: jobs of many lengths, a provider that takes its time, and what must
//! hold in the end.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{Instant, sleep, timeout};

use crate::audit::Audit;
use crate::server::{Asked, Reply, Server};
use crate::store::{Place, Store};
use crate::{Kit, KitWorker, Signal};

/// The longest that anything may take before a run counts as stuck.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// How much of everything there is.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What keeps the jobs.
    pub store: Store,
    /// How many workers there are at any time.
    pub workers: usize,
    /// How many jobs each of them runs at once.
    pub capacity: usize,
    /// How many jobs there are. Every third asks a provider.
    pub jobs: usize,
    /// The longest jobs take this many steps of half a second, the others fewer.
    pub steps: usize,
    /// The longest that the provider takes.
    pub delay: Duration,
    /// How long a worker may drain.
    pub drain_for: &'static str,
    /// How long the others work on before the next one is told to stop.
    pub pause: Duration,
}

impl Plan {
    /// Four workers, 200 jobs of 1 to 20 s, a drain of 5 s, and a provider that takes up to 3 s.
    #[must_use]
    pub const fn full(store: Store) -> Self {
        Self {
            store,
            workers: 4,
            capacity: 8,
            jobs: 200,
            steps: 40,
            delay: Duration::from_secs(3),
            drain_for: "5s",
            pause: Duration::from_secs(3),
        }
    }
}

/// A database, a provider, and the settings of the workers, in a folder that goes in the end.
#[derive(Debug)]
pub struct Load {
    /// How much of everything there is.
    pub plan: Plan,
    /// Where the jobs are.
    pub place: Place,
    /// What the jobs ask.
    pub server: Server,
    /// What starts the workers.
    pub kit: Kit,
    _home: TempDir,
}

/// What there was when every promise held.
#[derive(Debug, Clone, Copy)]
pub struct Held {
    /// How many requests reached the provider.
    pub calls: usize,
    /// How often a job was handed back.
    pub handed_back: usize,
}

impl Load {
    /// A database with the schema of this program, and no job yet.
    pub async fn new(program: impl Into<PathBuf>, plan: Plan) -> Self {
        let home = TempDir::with_prefix("koinon-load-").unwrap();
        let delay = plan.delay;
        let server = Server::start(move |asked| slowly(asked, delay)).await;
        let place = plan.store.place().in_folder(home.path());
        let kit = kit(program.into(), home.path(), &server, &place, &plan);
        assert!(kit.migrate().await, "the database has no schema");
        Self { plan, place, server, kit, _home: home }
    }

    /// Submits those jobs of the plan that have these numbers, by this program.
    pub async fn submit(&self, kit: &Kit, numbers: Range<usize>) {
        let jobs: Vec<_> = numbers.map(|number| job(number, self.plan.steps)).collect();
        let submitted = kit.submit(&jobs, ("KOINON_OPERATIONS__MAX_ATTEMPTS", "3")).await;
        assert!(submitted.is_some(), "no job was taken in");
    }

    /// Waits until this many jobs have ended.
    pub async fn until_ended(&self, count: usize) {
        self.until("SELECT state FROM outcomes", count).await;
    }

    /// Waits until a statement that both stores understand finds this many rows.
    pub async fn until(&self, statement: &'static str, count: usize) {
        let found = async {
            while self.place.ask(statement, statement).await.len() < count {
                sleep(Duration::from_millis(100)).await;
            }
        };
        let in_time = timeout(PATIENCE, found).await.is_ok();
        assert!(in_time, "`{statement}` does not come to {count} within {PATIENCE:?}");
    }

    /// Holds what there is against the promises: every job has succeeded, no attempt was spent, no lease was
    /// lost, and no call was repeated or is in doubt.
    pub async fn held(&self) -> Held {
        let audits = Audit::all_in(&self.place).await;
        assert_eq!(audits.len(), self.plan.jobs, "the number of jobs");
        let handed_back = audits.iter().map(held).sum();
        let keys: BTreeSet<_> =
            self.server.requests().into_iter().map(|one| one.asked.key).collect();
        let calls = self.server.count();
        assert_eq!(keys.len(), calls, "a call was repeated");
        Held { calls, handed_back }
    }
}

/// Tells a worker to stop, and waits for its end, which has to be a clean one; how long that took.
pub async fn stop(worker: &mut KitWorker) -> Duration {
    until_working(worker).await;
    let told = Instant::now();
    assert!(worker.signal(Signal::TERM), "it has ended: {}", worker.log());
    let ended = timeout(PATIENCE, worker.end()).await;
    assert_eq!(ended.unwrap().code(), Some(0), "{}", worker.log());
    told.elapsed()
}

/// Waits until a worker has said who it is: earlier it does not listen to signals.
pub(crate) async fn until_working(worker: &mut KitWorker) {
    while worker.worker_id().is_none() {
        assert!(worker.ended().is_none(), "it has ended: {}", worker.log());
        sleep(Duration::from_millis(20)).await;
    }
}

/// Holds one job against the promises; how often it was handed back.
fn held(job: &Audit) -> usize {
    let standing = &job.standing;
    let expected = ("succeeded", 1, 0);
    let found = (standing.state.as_str(), standing.attempt, standing.lease_losses);
    assert_eq!(found, expected, "state, attempts and lost leases of {job:#?}");
    assert!(job.entries("in_doubt").is_empty(), "a call is in doubt: {job:#?}");
    job.events("handed_back").len()
}

fn kit(program: PathBuf, home: &Path, server: &Server, place: &Place, plan: &Plan) -> Kit {
    let kit = Kit::new(program, home)
        .asking(server)
        .env("KOINON_LOG", "warn,koinon=info")
        .env("KOINON_OPERATIONS__LEASE_FOR", "4s")
        .env("KOINON_OPERATIONS__DRAIN_FOR", plan.drain_for)
        .env("KOINON_OPERATIONS__ADMISSION__WORKER_CAPACITY", plan.capacity.to_string())
        .env("KOINON_DATABASE__MAX_CONNECTIONS", plan.capacity.to_string());
    match place.url() {
        None => kit,
        Some(url) => kit.env("KOINON_DATABASE__URL", url),
    }
}

/// Every third job asks; the others sleep. Some are short and some are long.
fn job(number: usize, steps: usize) -> Value {
    let (key, steps) = (format!("job-{number}"), 2 + number * 7 % (steps - 1));
    if number.is_multiple_of(3) {
        let input = json!({"items": 1 + steps / 6, "weigh_ms": 500});
        json!({"kind": "spend", "key": key, "input": input})
    } else {
        json!({"kind": "sleep", "key": key, "input": {"items": steps, "each_ms": 500}})
    }
}

/// An answer that takes longer for some than for others.
fn slowly(asked: &Asked, longest: Duration) -> Reply {
    let part = u32::try_from(asked.number % 8 + 1).unwrap();
    Reply::answer(asked).after(longest * part / 8)
}
