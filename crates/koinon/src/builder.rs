//! The composition root: from settings, workloads and providers to an engine.

use std::sync::Arc;

use koinon_artifacts::Artifacts;
use koinon_budget::{Profile, Profiles};
use koinon_domain::TenantId;
use koinon_provider::Provider;
use koinon_runner::{Config, Workload, Workloads};
use koinon_store::{Clock, SystemClock};

use crate::koinon::{Inner, LOCAL};
use crate::parts::Parts;
use crate::providers::Available;
use crate::queues::Datasource;
use crate::settings::Settings;
use crate::{Error, Koinon};

/// An engine that is not open yet.
#[derive(Debug)]
#[must_use = "nothing is opened before `open`"]
pub struct Builder {
    settings: Settings,
    workloads: Workloads,
    providers: Vec<Arc<dyn Provider>>,
    prices: Vec<Profile>,
    clock: Arc<dyn Clock>,
}

impl Builder {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            settings,
            workloads: Workloads::new(),
            providers: Vec::new(),
            prices: Vec::new(),
            clock: Arc::new(SystemClock::new()),
        }
    }

    /// Adds a workload, in place of an earlier one of its kind.
    pub fn workload<W: Workload>(mut self, workload: W) -> Self {
        self.workloads = self.workloads.with(workload);
        self
    }

    /// Adds a provider, in place of any other of its name.
    pub fn provider(mut self, provider: Arc<dyn Provider>) -> Self {
        self.providers.push(provider);
        self
    }

    /// Adds prices, which weigh more than the built-in ones and than those added before.
    pub fn prices(mut self, profile: Profile) -> Self {
        self.prices.push(profile);
        self
    }

    /// Takes time and randomness from here.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Opens the database and the artifact store. A SQLite file and a folder of artifacts are created if they
    /// are missing, and an older file is migrated; a Postgres database is refused until
    /// [`Koinon::migrate`] has been at it.
    ///
    /// # Errors
    ///
    /// [`Error`] says what to mend.
    pub async fn open(self) -> Result<Koinon, Error> {
        let parts = self.parts()?;
        let tenant = TenantId::try_new(LOCAL)?;
        let database = parts.open(Datasource::Primary.url(&parts.settings)).await?;
        Ok(Koinon::from_inner(Inner::new(parts, tenant, database)))
    }

    /// Everything but databases.
    pub(crate) fn parts(self) -> Result<Parts, Error> {
        let Self { settings, workloads, providers, prices, clock } = self;
        settings.check()?;
        let providers = Available::new(&settings, providers)?;
        let mut profiles = vec![koinon_budget::built_in()?];
        profiles.extend(prices);
        let profiles = Profiles::new(profiles);
        let artifacts = Artifacts::open(settings.artifacts.url.trim())?;
        Ok(Parts { settings, artifacts, providers, profiles, workloads, clock })
    }

    /// Whether there is a provider of that name, ready or not: to be asked before a job is submitted that needs
    /// it. Nothing is opened for that.
    ///
    /// # Errors
    ///
    /// [`Error::NoProvider`] names the known ones that are most alike; [`Error::Provider`] if one is set up wrongly.
    pub fn check_provider_name(&self, name: &str) -> Result<(), Error> {
        Available::new(&self.settings, self.providers.clone())?.check_name(name)
    }

    /// The settings that it was begun with.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }
}

/// What workers do with these settings.
pub(crate) fn config(settings: &Settings) -> Config {
    let operations = &settings.operations;
    Config {
        sweep_every: settings.retention.every,
        lease_for: operations.lease_for,
        drain_for: operations.drain_for,
        flush_for: operations.flush_for,
        call_for: operations.call_for,
        stage_for: operations.stage_for,
        on_in_doubt: operations.on_in_doubt,
        ..Config::default()
    }
}
