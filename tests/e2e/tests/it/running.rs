//! Running limits hold at every instant, whatever becomes of the workers.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use koinon_e2e::{Audit, Kit, KitWorker, Logged, Place, Reply, Server, Signal, Store};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

on_each_store! {
    no_limit_is_passed_while_workers_are_killed
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_kit-worker");
const PATIENCE: Duration = Duration::from_secs(150);

/// How many jobs of the queue may run, and how many of each tenant.
const LIMITS: (usize, usize) = (3, 1);
const TENANTS: [&str; 4] = ["acme", "globex", "initech", "umbrella"];
const LEASE_FOR: Duration = Duration::from_secs(2);
const ANSWER_AFTER: Duration = Duration::from_millis(60);
const WORKERS: usize = 4;
const KILLS: usize = 3;

const HELD: [&str; 4] = ["leased", "running", "pausing", "cancelling"];

async fn kit(home: &TempDir, server: &Server, place: &Place) -> Kit {
    let kit = Kit::new(PROGRAM, home.path())
        .asking(server)
        .env("KOINON_OPERATIONS__LEASE_FOR", "2s")
        .env("KOINON_OPERATIONS__ADMISSION__WORKER_CAPACITY", "4")
        .env("KOINON_DATABASE__MAX_CONNECTIONS", "4")
        .env("KOINON_QUEUES__SPEND__RUNNING", LIMITS.0.to_string())
        .env("KOINON_QUEUES__SPEND__RUNNING_PER_TENANT", LIMITS.1.to_string());
    let Some(url) = place.url() else { return kit };
    let kit = kit.env("KOINON_DATABASE__URL", url);
    assert!(kit.migrate().await);
    kit
}

/// Most jobs are of the first tenant, and stand in front of the others.
fn jobs() -> Vec<(&'static str, Value)> {
    let counts = [9, 4, 4, 4];
    let tenants = TENANTS.into_iter().zip(counts);
    let tenants =
        tenants.flat_map(|(tenant, count)| (0..count).map(move |number| (tenant, number)));
    let job = |(tenant, number): (&'static str, usize)| {
        let (key, input) = (format!("{tenant}-{number}"), json!({"items": 2, "weigh_ms": 50}));
        (tenant, json!({"kind": "spend", "key": key, "tenant": tenant, "input": input}))
    };
    tenants.map(job).collect()
}

/// Who holds a job now.
fn holders(jobs: &[Audit]) -> BTreeSet<String> {
    let held = jobs.iter().filter(|job| HELD.contains(&job.standing.state.as_str()));
    let holder = |job: &Audit| {
        let detail: Value = serde_json::from_str(&job.events("claimed").last()?.detail).unwrap();
        Some(detail["worker"].as_str()?.replace('-', ""))
    };
    held.filter_map(holder).collect()
}

/// Kills a worker that seems to hold a job; whether it held one when it was gone.
async fn kill_a_holder(place: &Place, workers: &mut Vec<KitWorker>) -> bool {
    let killed = async {
        loop {
            let holders = holders(&Audit::all_in(place).await);
            let mut known = workers.iter_mut().map(|worker| worker.worker_id().map(str::to_owned));
            let found = known.position(|id| id.is_some_and(|id| holders.contains(&id)));
            if let Some(number) = found {
                return number;
            }
            sleep(Duration::from_millis(10)).await;
        }
    };
    let number = timeout(PATIENCE, killed).await.unwrap();
    let mut worker = workers.swap_remove(number);
    assert!(worker.signal(Signal::KILL));
    worker.end().await;
    let id = worker.worker_id().unwrap();
    holders(&Audit::all_in(place).await).contains(id)
}

async fn until_done(place: &Place) -> Vec<Audit> {
    let done = async {
        loop {
            let jobs = Audit::all_in(place).await;
            if jobs.iter().all(|job| job.standing.state == "succeeded") {
                return jobs;
            }
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(PATIENCE, done).await.unwrap()
}

/// The most jobs that held a place at once, as the histories say: from each claim until its end, or until the
/// sweep took the job from its worker.
fn most_at_once<'a>(jobs: impl Iterator<Item = &'a Audit>) -> usize {
    let mut changes = Vec::new();
    for event in jobs.flat_map(|job| &job.events) {
        let is_held =
            |state: &Option<String>| state.as_deref().is_some_and(|state| HELD.contains(&state));
        match (is_held(&event.from), is_held(&event.to)) {
            // Of a claim and an end at the same instant the end came first.
            (false, true) => changes.push((event.at, 1, 1)),
            (true, false) => changes.push((event.at, 0, -1)),
            (true, true) | (false, false) => {}
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

/// A worker that was killed keeps its places until its lease is over.
fn check_lost_leases(jobs: &[Audit]) -> usize {
    let mut lost = 0;
    for job in jobs {
        let mut claimed_at = 0;
        for event in &job.events {
            match event.name.as_str() {
                "claimed" => claimed_at = event.at,
                "lease_lost" => {
                    let held_for = Duration::from_micros((event.at - claimed_at).unsigned_abs());
                    assert!(
                        held_for >= LEASE_FOR,
                        "a place came free after {held_for:?}: {job:#?}"
                    );
                    lost += 1;
                }
                _ => {}
            }
        }
    }
    lost
}

/// The jobs of which requests were certainly under way at once: whoever asked within the time that the server
/// takes for an answer.
fn check_requests(requests: &[Logged], tenant_of: &BTreeMap<String, &str>) {
    let job_of = |one: &Logged| one.asked.passage.split(' ').next().unwrap().replace('-', "");
    let answer_after = i64::try_from(ANSWER_AFTER.as_micros()).unwrap();
    for one in requests {
        let at = one.asked.at_us;
        let open =
            requests.iter().filter(|other| (at - answer_after..=at).contains(&other.asked.at_us));
        let jobs: BTreeSet<_> = open.map(job_of).collect();
        assert!(jobs.len() <= LIMITS.0, "{jobs:?} asked at once");
        let tenants: BTreeSet<_> = jobs.iter().map(|job| tenant_of[job]).collect();
        assert_eq!(tenants.len(), jobs.len(), "two jobs of a tenant asked at once: {jobs:?}");
    }
}

async fn no_limit_is_passed_while_workers_are_killed(store: Store) {
    let home = TempDir::new().unwrap();
    let server = Server::start(|asked| Reply::answer(asked).after(ANSWER_AFTER)).await;
    let place = store.place().in_folder(home.path());
    let kit = kit(&home, &server, &place).await;
    let (tenants, jobs): (Vec<_>, Vec<_>) = jobs().into_iter().unzip();
    let ids = kit.submit(&jobs, ("KOINON_OPERATIONS__MAX_ATTEMPTS", "9")).await.unwrap();
    let tenant_of: BTreeMap<_, _> = ids.into_iter().zip(tenants).collect();
    let of = |tenant: &'static str| {
        let tenant_of = &tenant_of;
        move |job: &&Audit| tenant_of[&job.standing.job] == tenant
    };

    let mut workers: Vec<_> = (0..WORKERS).map(|_| kit.work(&[])).collect();
    let mut kills = 0;
    while kills < KILLS {
        kills += usize::from(kill_a_holder(&place, &mut workers).await);
        workers.push(kit.work(&[]));
    }
    let jobs = until_done(&place).await;

    assert_eq!(jobs.len(), tenant_of.len());
    assert_eq!(most_at_once(jobs.iter()), LIMITS.0, "the limit was passed, or never reached");
    for tenant in TENANTS {
        assert_eq!(most_at_once(jobs.iter().filter(of(tenant))), LIMITS.1, "of {tenant}");
    }
    assert!(check_lost_leases(&jobs) >= KILLS);
    check_requests(&server.requests(), &tenant_of);
    // The first tenant's jobs stood in front of all others, and held up nobody.
    let first_claim = |tenant| {
        let claims = jobs.iter().filter(of(tenant)).flat_map(|job| job.events("claimed"));
        claims.map(|event| event.at).min().unwrap()
    };
    let last_of_first = jobs.iter().filter(of(TENANTS[0])).flat_map(|job| job.events("claimed"));
    let last_of_first = last_of_first.map(|event| event.at).max().unwrap();
    assert!(TENANTS.into_iter().skip(1).all(|tenant| first_claim(tenant) < last_of_first));
}
