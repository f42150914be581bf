//! From the options of a command to an open Koinon.

use std::path::Path;
use std::time::Duration;

use koinon::budget::Profile;
use koinon::settings::{Flags, Loaded, Settings};
use koinon::workloads::dataset::Dataset;
use koinon::{Builder, Koinon, told};

use crate::args::Global;
use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::prices;

/// What stands in place of an origin for a value that nobody set.
const DEFAULT: &str = "default";

/// What a command wants opened.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Open<'c> {
    global: &'c Global,
    provider: Option<&'c str>,
    base_url: Option<&'c str>,
    prices: Option<&'c Path>,
    drain_for: Option<Duration>,
}

impl<'c> Open<'c> {
    /// The configuration as the global options name it.
    pub(crate) const fn new(context: &'c Context) -> Self {
        let global = &context.global;
        Self { global, provider: None, base_url: None, prices: None, drain_for: None }
    }

    /// With this address for this provider.
    pub(crate) const fn provider(mut self, name: &'c str, base_url: Option<&'c str>) -> Self {
        self.provider = Some(name);
        self.base_url = base_url;
        self
    }

    /// With the prices of this file over the built-in ones.
    pub(crate) const fn prices(mut self, file: Option<&'c Path>) -> Self {
        self.prices = file;
        self
    }

    /// With this time for a drain, unless the configuration has one.
    pub(crate) const fn drain_for(mut self, time: Duration) -> Self {
        self.drain_for = Some(time);
        self
    }

    /// Reads the configuration.
    pub(crate) fn load(self) -> Result<Loaded, Fault> {
        let flags = Flags {
            config: self.global.config.clone(),
            database: self.global.database.clone(),
            artifacts: self.global.artifacts.clone(),
            base_url: self.base_url.map(str::to_owned),
            provider: self.provider.map(str::to_owned),
        };
        let mut loaded = Settings::load(&flags)
            .map_err(|error| Fault::new(error.code(), told(&error)).exit(Exit::Usage))?;
        let is_default =
            |key| loaded.origins.iter().any(|origin| origin.key == key && origin.source == DEFAULT);
        if let Some(time) = self.drain_for.filter(|_| is_default("operations.drain_for")) {
            loaded.settings.operations.drain_for = time;
        }
        Ok(loaded)
    }

    /// Opens what the configuration names. The database is made and migrated where that is missing.
    pub(crate) async fn open(self) -> Result<Koinon, Fault> {
        Ok(self.builder()?.open().await?)
    }

    /// What the configuration names, before anything is opened.
    pub(crate) fn builder(self) -> Result<Builder, Fault> {
        let loaded = self.load()?;
        let prices: Option<Profile> = self.prices.map(prices::read).transpose()?;
        let mut builder = Koinon::builder(loaded.settings).workload(Dataset);
        if let Some(prices) = prices {
            builder = builder.prices(prices);
        }
        Ok(builder)
    }
}
