//! Connections to the database die, in every way that they can, and the process goes on.

use std::collections::BTreeSet;
use std::time::Duration;

use koinon_cluster::Cluster;
use koinon_e2e::{Audit, Cut, Koinon, Place, Process, Proxy, Reply, Server, Signal};

/// Long enough for the slowest.
const PATIENCE: Duration = Duration::from_secs(240);

/// A database behind a proxy, and a provider.
struct Bench {
    proxy: Proxy,
    koinon: Koinon,
    /// Where the database itself is.
    place: Place,
    server: Server,
}

impl Bench {
    async fn new(items: usize) -> Self {
        let database = Cluster::shared().unwrap().empty().unwrap();
        let direct = database.url();
        let proxy = Proxy::before(&direct).await;
        let koinon = Koinon::at(Place::at(proxy.url(&direct))).having_corpus(items);
        let answer = |asked: &_| Reply::answer(asked).after(Duration::from_millis(100));
        let place = Place::Postgres { url: direct, database: Some(database) };
        Self { proxy, koinon, place, server: Server::start(answer).await }
    }

    fn env(mut self, variables: &[(&str, &str)]) -> Self {
        for (name, value) in variables {
            self.koinon = self.koinon.env(name, value);
        }
        self
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

    fn work(&self) -> Process {
        let base_url = self.server.base_url();
        self.koinon.start(&["worker", "--base-url", &base_url, "--prices", "prices.toml"])
    }

    /// Waits until all jobs have succeeded.
    async fn succeeded(&self) -> Vec<Audit> {
        let looked = async {
            loop {
                let jobs = Audit::all_in(&self.place).await;
                if jobs.iter().all(|job| job.standing.state == "succeeded") {
                    return jobs;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        match tokio::time::timeout(PATIENCE, looked).await {
            Ok(jobs) => jobs,
            Err(_) => panic!("not all succeeded: {:#?}", Audit::all_in(&self.place).await),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_whose_connections_die_goes_on_and_does_nothing_twice() {
    const ITEMS: usize = 60;
    let bench = Bench::new(ITEMS).await;
    let args = Koinon::dataset(&bench.server, &["--set", &format!("target={ITEMS}")]);

    let process = bench.koinon.start(&args);
    for (answered, how) in
        [(4, Cut::Reset), (12, Cut::InAnAnswer), (20, Cut::Silence), (36, Cut::Reset)]
    {
        bench.server.until_answered(answered).await;
        assert!(bench.proxy.cut(how) > 0, "there is nothing to cut");
    }
    let report = process.ended_within(PATIENCE).await.json_with_code(0);

    assert_eq!(report["state"], "succeeded", "{report}");
    assert_eq!(bench.server.count(), ITEMS, "no call was sent twice");
    let audit = Audit::all_in(&bench.place).await.remove(0);
    assert_eq!(audit.items_of("generate"), ITEMS);
    assert_eq!((audit.standing.lease_losses, audit.standing.generation), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_jobs_whose_two_connections_fall_silent_keep_their_leases() {
    const JOBS: usize = 16;
    const ITEMS: usize = 6;
    let bench = Bench::new(ITEMS).await.env(&[
        ("KOINON_DATABASE__MAX_CONNECTIONS", "2"),
        ("KOINON_OPERATIONS__ADMISSION__WORKER_CAPACITY", "16"),
        // So short that none would outlive a wait of half a minute.
        ("KOINON_OPERATIONS__LEASE_FOR", "12s"),
    ]);
    for seed in 0..JOBS {
        bench.submit(ITEMS, seed).await;
    }
    let mut worker = bench.work();
    for answered in [JOBS * ITEMS / 4, JOBS * ITEMS / 2] {
        bench.server.until_answered(answered).await;
        assert!(bench.proxy.cut(Cut::Silence) > 0, "there is nothing to cut");
    }

    for job in bench.succeeded().await {
        assert_eq!((job.standing.generation, job.standing.lease_losses), (1, 0));
        assert!(job.entries("in_doubt").is_empty());
    }
    let keys = bench.server.requests().into_iter().map(|one| one.asked.key);
    assert_eq!(keys.collect::<BTreeSet<_>>().len(), JOBS * ITEMS);
    assert_eq!(bench.server.count(), JOBS * ITEMS, "no call was sent twice");
    assert!(!worker.has_ended(), "the worker has ended by itself: {}", worker.stderr());
    worker.signal(Signal::TERM);
    let _ended = worker.ended_within(Duration::from_secs(40)).await.with_code(0);
}
