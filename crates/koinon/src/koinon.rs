//! An open engine.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use koinon_admission::{Bulkhead, Limits};
use koinon_artifacts::Artifacts;
use koinon_budget::Profiles;
use koinon_domain::{Authority, JobId, ProjectId, QueueName, TenantId};
use koinon_runner::{Services, Worker, Workloads};
use koinon_store::{
    Clock, JobStatus, JobStore, LedgerStore, QueueStore, ScheduleStore, SystemClock, WorkerStore,
};
use tokio::sync::OnceCell;

use crate::Error;
use crate::builder::{self, Builder};
use crate::database::Database;
use crate::elsewhere::Elsewhere;
use crate::parts::Parts;
use crate::queues::{Datasource, Queue};
use crate::settings::{Admission, Settings};

/// The tenant and the principal of whoever owns this program's database.
pub(crate) const LOCAL: &str = "local";

/// What the owner of a database may do with it: everything.
const OWNER: &str = "admin";

/// An open engine: it submits jobs, reads and steers them, and starts workers. Clones share it.
#[derive(Debug, Clone)]
pub struct Koinon(Arc<Inner>);

/// What the clones share.
#[derive(Debug)]
pub(crate) struct Inner {
    parts: Parts,
    tenant: TenantId,
    services: Services,
    database: Database,
    elsewhere: Arc<Elsewhere>,
    kept_prices: OnceCell<()>,
}

impl Inner {
    pub(crate) fn new(parts: Parts, tenant: TenantId, database: Database) -> Self {
        let elsewhere = Arc::new(Elsewhere::default());
        let beside = elsewhere.beside(&parts, Datasource::Primary.url(&parts.settings));
        let services = parts.services(&database, beside);
        Self { parts, tenant, services, database, elsewhere, kept_prices: OnceCell::new() }
    }
}

impl Koinon {
    /// Begins an engine with these settings; see [`Settings::load`].
    pub fn builder(settings: Settings) -> Builder {
        Builder::new(settings)
    }

    pub(crate) fn from_inner(inner: Inner) -> Self {
        Self(Arc::new(inner))
    }

    /// Jobs.
    #[must_use]
    pub fn jobs(&self) -> &Arc<dyn JobStore> {
        &self.0.services.jobs
    }

    /// The ledger.
    #[must_use]
    pub fn ledger(&self) -> &Arc<dyn LedgerStore> {
        &self.0.services.ledger
    }

    pub(crate) fn services(&self) -> &Services {
        &self.0.services
    }

    /// Schedules.
    #[must_use]
    pub fn schedules(&self) -> &Arc<dyn ScheduleStore> {
        &self.0.services.schedules
    }

    /// Artifacts.
    #[must_use]
    pub fn artifacts(&self) -> &Artifacts {
        &self.0.services.artifacts
    }

    /// Queues as a whole, of the primary database.
    #[must_use]
    pub fn queues(&self) -> &Arc<dyn QueueStore> {
        &self.0.database.queues
    }

    /// Which workers there are.
    #[must_use]
    pub fn workers(&self) -> &Arc<dyn WorkerStore> {
        &self.0.services.workers
    }

    /// Time and randomness.
    #[must_use]
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.0.services.clock
    }

    /// The settings that it was opened with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.0.parts.settings
    }

    /// Prices.
    #[must_use]
    pub fn profiles(&self) -> &Profiles {
        &self.0.services.profiles
    }

    /// Workloads.
    #[must_use]
    pub fn workloads(&self) -> &Workloads {
        &self.0.services.workloads
    }

    /// The tenant that jobs are submitted for.
    #[must_use]
    pub fn tenant(&self) -> &TenantId {
        &self.0.tenant
    }

    /// The authority of whoever owns this program's database, inside a project.
    #[must_use]
    pub fn local_authority(&self, project: ProjectId) -> Authority {
        Authority {
            principal: LOCAL.to_owned(),
            credential: None,
            tenant: self.0.tenant.clone(),
            project,
            scope: vec![OWNER.to_owned()],
            model_revisions: BTreeMap::new(),
        }
    }

    /// Whether a provider can be used, to be asked before a job that needs it is run here.
    ///
    /// # Errors
    ///
    /// [`Error::NoProvider`] says what is missing.
    pub fn check_provider(&self, name: &str) -> Result<(), Error> {
        self.0.parts.providers.check(name)
    }

    /// Starts a worker that looks after `queues` of the primary database, with permits of its own. It runs as
    /// many jobs at once as `operations.admission.worker_capacity` says, and of each queue as many as that
    /// queue allows. [`Builder::workers`] starts workers on every database.
    ///
    /// Must be called on a tokio runtime.
    #[must_use]
    pub fn worker(&self, queues: Vec<QueueName>) -> Worker {
        let operations = &self.settings().operations;
        let bulkhead = Bulkhead::new(limits(&operations.admission));
        let config = builder::config(self.settings());
        let lanes = queues.into_iter().map(|name| Queue::of(name, self.settings()).lane());
        Worker::start(self.0.services.clone(), config, bulkhead, lanes)
    }

    /// Brings the database that the settings name to the schema of this program, and answers the version of
    /// the newest migration. [Opening](Builder::open) does that to a SQLite file by itself, and refuses a
    /// Postgres database that needs it.
    ///
    /// # Errors
    ///
    /// [`Error`] says what to mend.
    pub async fn migrate(settings: &Settings) -> Result<i64, Error> {
        settings.check()?;
        Database::migrate(settings, Arc::new(SystemClock::new())).await
    }

    /// The version of the newest migration that the database has.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] if it cannot be read.
    pub async fn schema_version(&self) -> Result<i64, Error> {
        self.0.database.schema_version().await
    }

    /// Finishes the writes that wait, and closes the database. [Drain](Worker::drain) all workers first.
    pub async fn close(&self) {
        self.0.elsewhere.close().await;
        self.0.database.close().await;
    }

    /// Pauses a queue, in whichever database it is: workers take nothing more from it, and what runs goes on.
    /// Answers `false` if it was paused already.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] if its database fails.
    pub async fn pause_queue(&self, queue: &QueueName) -> Result<bool, Error> {
        Ok(self.database_of(queue).await?.queues.pause(queue).await?)
    }

    /// Lets a paused queue go on. Answers `false` if it was not paused.
    ///
    /// # Errors
    ///
    /// As [`pause_queue`](Self::pause_queue).
    pub async fn resume_queue(&self, queue: &QueueName) -> Result<bool, Error> {
        Ok(self.database_of(queue).await?.queues.resume(queue).await?)
    }

    async fn database_of(&self, queue: &QueueName) -> Result<&Database, Error> {
        self.database_at(Queue::of(queue.clone(), self.settings()).datasource).await
    }

    /// What a worker on the database of a datasource works with; the databases beside it are not among that.
    pub(crate) async fn services_at(&self, datasource: Datasource) -> Result<Services, Error> {
        Ok(self.0.parts.services(self.database_at(datasource).await?, Vec::new()))
    }

    async fn database_at(&self, datasource: Datasource) -> Result<&Database, Error> {
        let settings = self.settings();
        if datasource.url(settings) == Datasource::Primary.url(settings) {
            return Ok(&self.0.database);
        }
        self.0.elsewhere.open(&self.0.parts, datasource).await
    }

    /// A job of this tenant, and the database that it is in. One that does not answer is passed by as long as
    /// another may have the job.
    pub(crate) async fn find(
        &self,
        job: JobId,
    ) -> Result<Option<(JobStatus, Datasource, &Database)>, Error> {
        let mut failed = None;
        for datasource in self.databases() {
            let looked = async {
                let database = self.database_at(datasource).await?;
                let found = database.jobs.job(self.tenant(), job).await?;
                Ok::<_, Error>(found.map(|found| (found, datasource, database)))
            };
            match looked.await {
                Ok(None) => {}
                Ok(found) => return Ok(found),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed.map_or(Ok(None), Err)
    }

    /// The jobs of every database of the settings, the primary one first.
    ///
    /// # Errors
    ///
    /// [`Error`] if one of them cannot be opened.
    pub async fn all_jobs(&self) -> Result<Vec<Arc<dyn JobStore>>, Error> {
        let mut all = Vec::new();
        for datasource in self.databases() {
            all.push(Arc::clone(&self.database_at(datasource).await?.jobs));
        }
        Ok(all)
    }

    /// One datasource of each database of the settings, the primary one first.
    pub(crate) fn databases(&self) -> Vec<Datasource> {
        Datasource::of_each_database(self.settings())
    }

    /// The jobs of a queue, in whichever database it is. That has the prices of this program on record
    /// then, since the ledgers of its jobs will name them.
    pub(crate) async fn jobs_of(&self, queue: &QueueName) -> Result<Arc<dyn JobStore>, Error> {
        let parts = &self.0.parts;
        let datasource = Queue::of(queue.clone(), self.settings()).datasource;
        if datasource.url(self.settings()) == Datasource::Primary.url(self.settings()) {
            let keep = async || parts.prepare(self.ledger(), &self.services().retention).await;
            self.0.kept_prices.get_or_try_init(keep).await?;
            return Ok(Arc::clone(self.jobs()));
        }
        Ok(Arc::clone(&self.0.elsewhere.open(parts, datasource).await?.jobs))
    }
}

/// The limits of a bulkhead. The settings were checked, so the defaults never stand in.
pub(crate) fn limits(admission: &Admission) -> Limits {
    // Waiting for no time at all is not waiting, which a bulkhead has its own way to say.
    let (waiters, timeout) = match admission.wait_timeout {
        Duration::ZERO => (0, Duration::from_secs(1)),
        timeout => (usize::try_from(admission.max_waiters).unwrap_or(usize::MAX), timeout),
    };
    Limits::try_new(admission.worker_capacity, waiters, timeout).unwrap_or_default()
}
