//! The workers of a process, on databases that come and go.

use std::net::SocketAddr;
use std::time::Duration;

use koinon::prelude::*;
use koinon::{Datasource, Workers};
use koinon_cluster::{Cluster, Database};
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::task::JoinSet;

use crate::workloads::{Bulk, Document, Plain};

struct Place {
    folder: TempDir,
    settings: Settings,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings::default();
        settings.artifacts.url = format!("file://{}", folder.path().join("artifacts").display());
        let place = Self { folder, settings: settings.clone() };
        settings.database.url = place.sqlite("koinon.db");
        Self { settings, ..place }
    }

    fn sqlite(&self, name: &str) -> String {
        format!("sqlite://{}", self.folder.path().join(name).display())
    }

    fn builder(&self) -> koinon::Builder {
        let builder = Koinon::builder(self.settings.clone());
        builder.workload(Plain).workload(Document).workload(Bulk)
    }

    async fn workers(&self) -> Workers {
        self.builder().workers(Handle::current(), Duration::from_secs(60)).await.unwrap()
    }

    async fn submit<W: Workload>(&self) -> JobId {
        let koinon = self.builder().open().await.unwrap();
        let job = koinon.submit(Submit::of::<W>("one", &"text").unwrap()).await.unwrap().job();
        koinon.close().await;
        job
    }

    /// How a job stands in the database of this address.
    async fn state(&self, url: &str, job: JobId) -> Option<State> {
        let mut settings = self.settings.clone();
        url.clone_into(&mut settings.database.url);
        let koinon = Koinon::builder(settings).open().await.unwrap();
        let status = koinon.jobs().job(koinon.tenant(), job).await.unwrap();
        koinon.close().await;
        status.map(|status| status.run.state)
    }

    async fn until_succeeded(&self, url: &str, job: JobId) {
        while self.state(url, job).await != Some(State::Succeeded) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

fn is_available(workers: &Workers, datasource: Datasource) -> bool {
    let standing = workers.standing();
    standing.iter().find(|site| site.datasources.contains(&datasource)).unwrap().is_available
}

async fn migrated() -> Database {
    let database = Cluster::shared().unwrap().empty().unwrap();
    let mut settings = Settings::default();
    settings.database.url = database.url();
    Koinon::migrate(&settings).await.unwrap();
    database
}

/// An address in front of a server, through which one gets only while it is open.
struct Gate(SocketAddr);

impl Gate {
    fn new() -> Self {
        Self(std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap())
    }

    /// The URL of a database, through the gate.
    fn url(&self, url: &str) -> String {
        let (before, after) = (url.split_once('@').unwrap().0, url.rsplit_once('/').unwrap().1);
        format!("{before}@{}/{after}", self.0)
    }

    /// Lets everybody through to the server of this URL for as long as the future lives.
    async fn open(&self, url: &str) {
        let server = url.split_once('@').unwrap().1.split_once('/').unwrap().0.to_owned();
        let listener = TcpListener::bind(self.0).await.unwrap();
        let mut through = JoinSet::new();
        loop {
            let (mut client, _) = listener.accept().await.unwrap();
            let server = server.clone();
            through.spawn(async move {
                let mut server = TcpStream::connect(server).await.unwrap();
                // Either side may end it.
                let _ended = tokio::io::copy_bidirectional(&mut client, &mut server).await;
            });
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn queues_of_two_databases_of_different_kinds_are_worked_on_by_one_process() {
    let (mut place, documents) = (Place::new(), migrated().await);
    let (url, primary) = (documents.url(), place.settings.database.url.clone());
    place.settings.datasources.document_control.url = Some(url.clone());
    let (plain, document) = (place.submit::<Plain>().await, place.submit::<Document>().await);
    assert_eq!(place.state(&primary, document).await, None, "it is in the other database");

    let workers = place.workers().await;
    tokio::select! {
        () = workers.work() => {}
        ((), ()) = async {
            tokio::join!(
                place.until_succeeded(&primary, plain),
                place.until_succeeded(&url, document)
            )
        } => {}
    }

    assert_eq!(workers.drain().await, Drained::Clean);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_down_leaves_the_others_working_and_comes_back_by_itself() {
    let (mut place, documents, gate) = (Place::new(), migrated().await, Gate::new());
    let (url, primary) = (documents.url(), place.settings.database.url.clone());
    place.settings.datasources.document_control.url = Some(url.clone());
    let document = place.submit::<Document>().await;
    let plain = place.submit::<Plain>().await;
    place.settings.datasources.document_control.url = Some(gate.url(&url));

    let workers = place.workers().await;
    let looking = async {
        place.until_succeeded(&primary, plain).await;
        assert!(is_available(&workers, Datasource::Primary));
        assert!(!is_available(&workers, Datasource::DocumentControl));
        assert_eq!(place.state(&url, document).await, Some(State::Queued));
        tokio::select! {
            () = gate.open(&url) => {}
            () = place.until_succeeded(&url, document) => {}
        }
        // The gate is shut again, and every connection through it is gone.
        while is_available(&workers, Datasource::DocumentControl) {
            tokio::task::yield_now().await;
        }
        assert!(is_available(&workers, Datasource::Primary));
        tokio::select! {
            () = gate.open(&url) => {}
            () = async {
                while !is_available(&workers, Datasource::DocumentControl) {
                    tokio::task::yield_now().await;
                }
            } => {}
        }
    };
    tokio::select! {
        () = workers.work() => {}
        () = looking => {}
    }

    assert_eq!(workers.drain().await, Drained::Clean);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_that_does_not_match_is_refused_whichever_database_has_it() {
    let mut place = Place::new();
    let empty = Cluster::shared().unwrap().empty().unwrap();
    place.settings.datasources.document_control.url = Some(empty.url());
    let refused = place.builder().workers(Handle::current(), Duration::from_secs(60)).await;
    assert_eq!(refused.unwrap_err().code().as_str(), "schema_mismatch");
}

#[tokio::test(flavor = "multi_thread")]
async fn bulk_work_that_is_not_let_in_stays_in_its_queue() {
    let mut place = Place::new();
    let primary = place.settings.database.url.clone();
    let (bulk, plain) = (place.submit::<Bulk>().await, place.submit::<Plain>().await);
    for (is_let_in, state) in [(false, State::Queued), (true, State::Succeeded)] {
        place.settings.knowledge.bulk_query_worker_enabled = is_let_in;
        let workers = place.workers().await;
        let done = if is_let_in { bulk } else { plain };
        tokio::select! {
            () = workers.work() => {}
            () = place.until_succeeded(&primary, done) => {}
        }
        workers.drain().await;
        assert_eq!(place.state(&primary, bulk).await, Some(state));
    }
}

/// The gate of this name, and what it says.
async fn gate(koinon: &Koinon, job: JobId, name: &str) -> (bool, String) {
    let explained = koinon.explain(job).await.unwrap().unwrap();
    let gate = explained.gates.into_iter().find(|gate| gate.name == name).unwrap();
    (gate.holds_back, gate.value)
}

#[tokio::test]
async fn a_job_is_explained_in_whichever_database_it_is() {
    let mut place = Place::new();
    let early = place.submit::<Document>().await;
    place.settings.datasources.document_control.url = Some(place.sqlite("documents.db"));
    let koinon = place.builder().open().await.unwrap();
    let submit = Submit::of::<Document>("two", &"text").unwrap();
    let job = koinon.submit(submit).await.unwrap().job();
    assert!(koinon.jobs().job(koinon.tenant(), job).await.unwrap().is_none(), "it is elsewhere");

    let answers = (false, "document_control answers".to_owned());
    assert_eq!(gate(&koinon, job, "datasource").await, answers);
    assert_eq!(koinon.all_jobs().await.unwrap().len(), 2);
    // It was submitted before the queue had a database of its own, where workers look for it now.
    let (holds_back, value) = gate(&koinon, early, "datasource").await;
    assert!(holds_back && value.starts_with("the job is in primary"), "{value}");
    let nobodys = JobId::from_uuid(koinon.clock().uuid());
    assert_eq!(koinon.explain(nobodys).await.unwrap(), None);
    koinon.close().await;
}
