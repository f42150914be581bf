//! The workers of a process: one for each database that holds queues of its workloads.

mod look;
mod site;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use koinon_admission::Bulkhead;
use koinon_domain::{QueueName, WorkerId};
use koinon_runner::{Drained, Process};
use koinon_store::Clock;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use self::look::Looked;
use self::site::Site;
use crate::elsewhere::Elsewhere;
use crate::koinon::limits;
use crate::parts::Parts;
use crate::queues::{Datasource, Queue};
use crate::settings::Settings;
use crate::{Builder, Error, Role};

/// The workers of a process, one for each database that holds queues of its workloads. They share their id
/// and their permits.
///
/// A database that cannot be reached makes its queues unavailable, and is looked for until it is back; the
/// others are worked on meanwhile. Queues without a workload in this program are left alone.
#[derive(Debug)]
pub struct Workers {
    settings: Settings,
    process: Process,
    sites: Vec<Site>,
    /// The databases that only sweeps ask.
    elsewhere: Arc<Elsewhere>,
    clock: Arc<dyn Clock>,
    looked: Looked,
    stop: CancellationToken,
}

/// How the worker of one database stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The datasources that are in the database.
    pub datasources: Vec<Datasource>,
    /// Whether the database answered when it was last asked.
    pub is_available: bool,
    /// Its queues, and how many of their jobs run here.
    pub queues: Vec<(Queue, usize)>,
    /// Requests that were sent to providers.
    pub calls: u64,
    /// Calls whose stored answer or result served, so that nothing was sent.
    pub replayed_calls: u64,
}

impl Builder {
    /// Starts workers for the queues of all workloads. Workloads run on `threads`, which must not be the
    /// runtime that this is called on if a workload that keeps its threads busy is not to keep heartbeats
    /// waiting.
    ///
    /// A database that does not answer within `open_for` counts as one that cannot be reached.
    ///
    /// # Errors
    ///
    /// [`Error`] says what to mend: what waiting does not cure, in any of the databases.
    pub async fn workers(self, threads: Handle, open_for: Duration) -> Result<Workers, Error> {
        Role::Worker.check()?;
        self.settings().check_worker()?;
        Workers::start(self.parts()?, threads, open_for).await
    }
}

impl Workers {
    async fn start(parts: Parts, threads: Handle, open_for: Duration) -> Result<Self, Error> {
        let settings = parts.settings.clone();
        let id = WorkerId::from_uuid(parts.clock.uuid());
        let bulkhead = Bulkhead::new(limits(&settings.operations.admission));
        let process = Process::new(id, bulkhead).threads(threads);
        let (parts, elsewhere) = (Arc::new(parts), Arc::new(Elsewhere::default()));
        // A database that only sweeps ask has nothing to tell, and no session of it should listen.
        let mut asked = (*parts).clone();
        asked.settings.database.notifications = false;
        let mut sites = Vec::new();
        for (url, queues) in by_database(&parts)? {
            let beside = elsewhere.beside(&asked, &url);
            sites.push(Site::new(url, queues, Arc::clone(&parts), beside, process.clone()));
        }
        if sites.is_empty() {
            tracing::warn!("no workload of this program has a queue that is worked on");
        }
        let (clock, looked) = (Arc::clone(&parts.clock), Looked::new());
        let stop = CancellationToken::new();
        let workers = Self { settings, process, sites, elsewhere, clock, looked, stop };
        let opened = join_all(workers.sites.iter().map(|site| site.open_within(open_for))).await;
        if let Some(error) = opened.into_iter().find_map(Result::err) {
            workers.drain().await;
            return Err(error);
        }
        Ok(workers)
    }

    /// The id under which they claim.
    #[must_use]
    pub const fn id(&self) -> WorkerId {
        self.process.id()
    }

    /// The settings that they were started with.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The permits that they share.
    #[must_use]
    pub const fn bulkhead(&self) -> &Bulkhead {
        self.process.bulkhead()
    }

    /// Whether they were told to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// How each of them stands.
    #[must_use]
    pub fn standing(&self) -> Vec<Standing> {
        self.sites.iter().map(Site::standing).collect()
    }

    /// Works until they are told to stop. What runs then goes on; [`drain`](Self::drain) waits for it.
    ///
    /// # Cancel safety
    ///
    /// Nothing is claimed any more once it is dropped, and what was claimed is run.
    pub async fn work(&self) {
        join_all(self.sites.iter().map(|site| site.work(&self.stop))).await;
    }

    /// Tells them to claim nothing more.
    pub fn stop(&self) {
        self.stop.cancel();
        self.process.bulkhead().close();
        self.sites.iter().for_each(Site::stop);
    }

    /// Ends them: no new claims; what runs has `operations.drain_for` to end by itself, then is interrupted
    /// and has `operations.flush_for` to flush, then is handed back. Then the databases are closed.
    ///
    /// # Cancel safety
    ///
    /// A drain that is dropped leaves what still runs to recovery.
    pub async fn drain(&self) -> Drained {
        self.stop();
        let drained = join_all(self.sites.iter().map(Site::drain)).await;
        self.elsewhere.close().await;
        let is_cut = drained.contains(&Drained::Cut);
        if is_cut { Drained::Cut } else { Drained::Clean }
    }
}

/// The queues that the workloads take from, by the address of their database.
fn by_database(parts: &Parts) -> Result<BTreeMap<String, Vec<Queue>>, Error> {
    let mut databases: BTreeMap<String, Vec<Queue>> = BTreeMap::new();
    for name in parts.workloads.queues() {
        let queue = Queue::of(QueueName::try_new(name)?, &parts.settings);
        if !queue.is_consumed {
            tracing::info!(queue = name, "its jobs wait: bulk work is not let in here");
            continue;
        }
        let url = queue.datasource.url(&parts.settings).to_owned();
        databases.entry(url).or_default().push(queue);
    }
    Ok(databases)
}
