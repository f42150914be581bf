//! What goes after a while, where queues have databases of their own.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use koinon::domain::Timestamp;
use koinon::prelude::*;
use koinon::retry::Jitter;
use koinon::runner::{Sweep, Swept};
use koinon::store::{Clock, JobFilter, Listed, SystemClock};
use tempfile::TempDir;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::workloads::{Document, Plain};

/// The machine's clock, so much later.
#[derive(Debug)]
struct Later(SystemClock, Duration);

impl Clock for Later {
    fn now(&self) -> Timestamp {
        self.0.now().after(self.1)
    }

    fn monotonic(&self) -> Duration {
        self.0.monotonic()
    }

    fn jitter(&self) -> Jitter {
        self.0.jitter()
    }

    fn uuid(&self) -> Uuid {
        self.0.uuid()
    }
}

/// Two databases that share an artifact store.
struct Place {
    folder: TempDir,
    settings: Settings,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings::default();
        let sqlite = |name: &str| format!("sqlite://{}", folder.path().join(name).display());
        settings.database.url = sqlite("koinon.db");
        settings.datasources.document_control.url = Some(sqlite("documents.db"));
        settings.artifacts.url = format!("file://{}", folder.path().join("artifacts").display());
        settings.retention.orphans_for = Some(Duration::from_hours(1));
        settings.retention.default.succeeded_for = Some(Duration::from_hours(1));
        Self { folder, settings }
    }

    /// The engine three days later, when the next turn to sweep has come.
    fn later(builder: koinon::Builder) -> koinon::Builder {
        builder.clock(Arc::new(Later(SystemClock::new(), Duration::from_hours(72))))
    }

    fn builder(&self) -> koinon::Builder {
        Koinon::builder(self.settings.clone()).workload(Plain).workload(Document)
    }

    /// Stores a blob for each of these inputs, and submits a job that names it.
    async fn submit<W: Workload>(&self, inputs: &[&str]) -> Vec<Digest> {
        let koinon = self.builder().open().await.unwrap();
        let mut blobs = Vec::new();
        for input in inputs {
            let blob = koinon.artifacts().put(input.as_bytes().to_vec().into()).await.unwrap();
            koinon.submit(Submit::of::<W>(input, &blob.to_string()).unwrap()).await.unwrap();
            blobs.push(blob);
        }
        koinon.close().await;
        blobs
    }

    /// A blob that no row names.
    async fn orphan(&self) -> Digest {
        let koinon = self.builder().open().await.unwrap();
        let blob = koinon.artifacts().put("nobody's".into()).await.unwrap();
        koinon.close().await;
        blob
    }

    /// Runs all jobs that wait.
    async fn work(&self) {
        let time = Duration::from_secs(60);
        let workers = self.builder().workers(Handle::current(), time).await.unwrap();
        let done = async {
            while self.living().await > 0 {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::select! {
            () = workers.work() => {}
            () = done => {}
        }
        workers.drain().await;
    }

    /// How many jobs of all databases have not succeeded.
    async fn living(&self) -> usize {
        let koinon = self.builder().open().await.unwrap();
        let mut living = 0;
        for jobs in koinon.all_jobs().await.unwrap() {
            let page = jobs.jobs(koinon.tenant(), &JobFilter::default(), None, 100).await.unwrap();
            let has_ended = |listed: &Listed| matches!(listed, Listed::Job(job) if job.run.state == State::Succeeded);
            living += page.iter().filter(|listed| !has_ended(listed)).count();
        }
        koinon.close().await;
        living
    }

    async fn prune(&self, sweep: Sweep) -> Swept {
        let koinon = Self::later(self.builder()).open().await.unwrap();
        let swept = koinon.prune(sweep, &CancellationToken::new()).await.unwrap();
        koinon.close().await;
        swept
    }

    fn has(&self, blob: &Digest) -> bool {
        let name = blob.to_string();
        let (folder, rest) = name.split_at(2);
        self.folder.path().join("artifacts/sha256").join(folder).join(rest).exists()
    }

    /// The same with a database of documents that nobody answers for.
    fn without_documents(mut self) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let url = format!("postgres://nobody@{free}/none");
        self.settings.datasources.document_control.url = Some(url);
        self.settings.store.busy_for = Duration::from_millis(200);
        self
    }
}

fn jobs_in(swept: &Swept) -> u64 {
    swept.queues.values().map(|pruned| pruned.jobs).sum()
}

#[tokio::test]
async fn a_blob_that_any_datasource_names_is_no_orphan() {
    let place = Place::new();
    let plain = place.submit::<Plain>(&["plain"]).await;
    let documents = place.submit::<Document>(&["document"]).await;
    let orphan = place.orphan().await;

    let would = place.prune(Sweep::DryRun).await;
    assert_eq!((would.blobs, would.other_databases), (1, 0), "{would:?}");
    assert!(place.has(&orphan), "a dry run removes nothing");
    let swept = place.prune(Sweep::Remove).await;
    assert_eq!((swept.blobs, swept.unavailable.len()), (1, 0), "{swept:?}");
    assert!(!place.has(&orphan));
    assert!(place.has(&plain[0]) && place.has(&documents[0]));
}

#[tokio::test]
async fn old_jobs_go_from_every_datasource_with_what_they_alone_name() {
    let place = Place::new();
    let plain = place.submit::<Plain>(&["plain", "both"]).await;
    place.work().await;
    let documents = place.submit::<Document>(&["document"]).await;
    place.work().await;
    // Of the same bytes as that of an old job in the other database.
    let young = place.submit::<Document>(&["both"]).await;
    assert_eq!(young[0], plain[1]);

    let would = place.prune(Sweep::DryRun).await;
    let swept = place.prune(Sweep::Remove).await;
    assert_eq!((jobs_in(&swept), swept.blobs), (3, 2), "{swept:?}");
    assert_eq!((&would.queues, would.blobs), (&swept.queues, swept.blobs));
    assert!(place.has(&young[0]) && !place.has(&plain[0]) && !place.has(&documents[0]));
}

#[tokio::test]
async fn while_a_datasource_is_down_no_blob_goes_and_the_jobs_of_the_others_do() {
    let place = Place::new();
    let plain = place.submit::<Plain>(&["plain"]).await;
    place.work().await;
    let orphan = place.orphan().await;
    let place = place.without_documents();

    let swept = place.prune(Sweep::Remove).await;
    assert_eq!(swept.unavailable, ["document_control"]);
    assert_eq!((jobs_in(&swept), swept.blobs), (1, 0), "{swept:?}");
    assert!(place.has(&orphan) && place.has(&plain[0]));
}

#[tokio::test]
async fn a_database_that_is_not_configured_any_more_keeps_every_blob() {
    let mut place = Place::new();
    place.submit::<Document>(&["document"]).await;
    let orphan = place.orphan().await;
    place.settings.datasources.document_control.url = None;

    let swept = place.prune(Sweep::Remove).await;
    assert_eq!((swept.other_databases, swept.blobs), (1, 0), "{swept:?}");
    assert!(place.has(&orphan));
}

#[tokio::test]
async fn workers_sweep_blobs_that_no_datasource_names() {
    let place = Place::new();
    let documents = place.submit::<Document>(&["document"]).await;
    place.work().await;
    let young = place.submit::<Document>(&["young"]).await;
    let orphan = place.orphan().await;

    // Only a workload of the primary database: the worker opens the other one for the sweep.
    let builder = Koinon::builder(place.settings.clone()).workload(Plain);
    let builder = Place::later(builder);
    let workers = builder.workers(Handle::current(), Duration::from_secs(60)).await.unwrap();
    let swept = async {
        while place.has(&orphan) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        () = workers.work() => {}
        swept = tokio::time::timeout(Duration::from_secs(90), swept) => swept.unwrap(),
    }
    workers.drain().await;
    assert!(place.has(&documents[0]), "its job is in a database that no worker prunes");
    assert!(place.has(&young[0]));
}
