//! A rolling restart under load: every worker is told to stop, one after another, and replaced by a new one.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{Instant, sleep, timeout};

use crate::audit::Audit;
use crate::server::{Asked, Reply, Server};
use crate::store::{Place, Store};
use crate::{Kit, KitWorker, Signal};

/// The longest that anything may take before the restart counts as stuck.
const PATIENCE: Duration = Duration::from_secs(300);

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

/// What was seen, besides that every promise held.
#[derive(Debug)]
pub struct Seen {
    /// How long each worker took from the signal to its end.
    pub stopped: Vec<Duration>,
    /// How many jobs there were.
    pub jobs: usize,
    /// How many requests reached the provider.
    pub calls: usize,
    /// How often a job was handed back.
    pub handed_back: usize,
    /// How long all of it took.
    pub took: Duration,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stopped, jobs, calls, handed_back, took } = self;
        let longest = stopped.iter().max().copied().unwrap_or_default();
        write!(
            f,
            "{jobs} jobs succeeded in {took:.1?} under {} restarts, the longest of {longest:.1?}; {calls} \
             calls, none repeated; {handed_back} times a job was handed back, no attempt was spent",
            stopped.len()
        )
    }
}

/// Restarts the workers of this program while they work, and holds what comes of it against the promises:
/// every job succeeds, no attempt is spent, no lease is lost, no call is repeated or in doubt, and every
/// worker exits with 0.
pub async fn roll(program: &Path, plan: &Plan) -> Seen {
    let (home, began) = (TempDir::with_prefix("koinon-rolling-").unwrap(), Instant::now());
    let delay = plan.delay;
    let server = Server::start(move |asked| slowly(asked, delay)).await;
    let place = plan.store.place().in_folder(home.path());
    let kit = kit(program, &home, &server, &place, plan).await;
    let jobs: Vec<_> = (0..plan.jobs).map(|number| job(number, plan.steps)).collect();
    assert!(kit.submit(&jobs, ("KOINON_OPERATIONS__MAX_ATTEMPTS", "3")).await.is_some());

    let mut workers: Vec<_> = (0..plan.workers).map(|_| kit.work(&[])).collect();
    let mut stopped = Vec::new();
    for number in 0..plan.workers {
        sleep(plan.pause).await;
        workers.push(kit.work(&[]));
        stopped.push(stop(&mut workers[number]).await);
    }
    until_done(&place).await;
    for worker in &mut workers[plan.workers..] {
        stopped.push(stop(worker).await);
    }

    let audits = Audit::all_in(&place).await;
    let handed_back = audits.iter().map(held).sum();
    let keys: BTreeSet<_> = server.requests().into_iter().map(|one| one.asked.key).collect();
    let calls = server.count();
    assert_eq!(keys.len(), calls, "a call was repeated");
    assert_eq!(audits.len(), plan.jobs);
    Seen { stopped, jobs: plan.jobs, calls, handed_back, took: began.elapsed() }
}

/// Holds one job against the promises; how often it was handed back.
fn held(job: &Audit) -> usize {
    let standing = &job.standing;
    let expected = ("succeeded", 1, 0);
    let found = (standing.state.as_str(), standing.attempt, standing.lease_losses);
    assert_eq!(found, expected, "state, attempts and lost leases of {job:#?}");
    assert!(job.entries("in_doubt").is_empty(), "a call is in doubt: {job:#?}");
    job.events.iter().filter(|event| event.name == "handed_back").count()
}

async fn kit(program: &Path, home: &TempDir, server: &Server, place: &Place, plan: &Plan) -> Kit {
    let kit = Kit::new(program, home.path())
        .asking(server)
        .env("KOINON_LOG", "warn,koinon=info")
        .env("KOINON_OPERATIONS__LEASE_FOR", "4s")
        .env("KOINON_OPERATIONS__DRAIN_FOR", plan.drain_for)
        .env("KOINON_OPERATIONS__ADMISSION__WORKER_CAPACITY", plan.capacity.to_string())
        .env("KOINON_DATABASE__MAX_CONNECTIONS", plan.capacity.to_string());
    match place.url() {
        None => kit,
        Some(url) => {
            let kit = kit.env("KOINON_DATABASE__URL", url);
            assert!(kit.migrate().await);
            kit
        }
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

/// Tells a worker to stop, and waits for its end; how long that took.
async fn stop(worker: &mut KitWorker) -> Duration {
    // Whoever has not said who it is does not listen to signals yet.
    while worker.worker_id().is_none() {
        sleep(Duration::from_millis(20)).await;
    }
    let told = Instant::now();
    assert!(worker.signal(Signal::TERM), "it has ended: {}", worker.log());
    let ended = timeout(PATIENCE, worker.end()).await;
    assert_eq!(ended.unwrap().code(), Some(0), "{}", worker.log());
    told.elapsed()
}

async fn until_done(place: &Place) {
    let done = async {
        let living = |job: &Audit| !["succeeded", "failed"].contains(&job.standing.state.as_str());
        while Audit::all_in(place).await.iter().any(living) {
            sleep(Duration::from_millis(500)).await;
        }
    };
    timeout(PATIENCE, done).await.unwrap();
}
