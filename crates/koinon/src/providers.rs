//! From settings to model providers.

use std::collections::BTreeMap;
use std::sync::Arc;

use koinon_provider::{Offline, OpenAi, OpenAiConfig, Provider, Providers, Secret};
use strsim::damerau_levenshtein;

use crate::Error;
use crate::settings::{ProviderKind, ProviderSettings, Settings};

/// The provider that is known, though not ready, without any settings.
const OPENAI: &str = "openai";

/// The variable that holds its key unless the settings name another.
const OPENAI_KEY: &str = "OPENAI_API_KEY";

/// How many known names are told in place of an unknown one.
const NEAREST: usize = 3;

/// The providers of a process, and why some that it knows are not among them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Available {
    pub(crate) providers: Providers,
    left_out: BTreeMap<String, String>,
}

impl Available {
    /// The offline provider, those of the settings as far as they are complete, and the program's own,
    /// which take the place of others of their names.
    pub(crate) fn new(settings: &Settings, own: Vec<Arc<dyn Provider>>) -> Result<Self, Error> {
        let mut available = Self::default();
        available.add(Arc::new(Offline::new()));
        let unconfigured = ProviderSettings::default();
        if !settings.providers.contains_key(OPENAI) {
            available.configure(OPENAI, &unconfigured)?;
        }
        for (name, provider) in &settings.providers {
            available.configure(name, provider)?;
        }
        for provider in own {
            available.add(provider);
        }
        Ok(available)
    }

    /// Says why a provider is not there.
    pub(crate) fn check(&self, name: &str) -> Result<(), Error> {
        if self.providers.get(name).is_some() {
            return Ok(());
        }
        let reason = self.left_out.get(name).cloned().unwrap_or_else(|| {
            let names = self.nearest(name).join(", ");
            format!("it is not configured; the nearest names known here: {names}")
        });
        let name = koinon_domain::clean(name, 64);
        Err(Error::NoProvider { name, reason })
    }

    /// Whether the name is that of a provider, ready or not.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.providers.get(name).is_some() || self.left_out.contains_key(name)
    }

    /// Says which names are known in place of one that is not.
    pub(crate) fn check_name(&self, name: &str) -> Result<(), Error> {
        if self.knows(name) { Ok(()) } else { self.check(name) }
    }

    /// The known names that are most like an unknown one.
    fn nearest(&self, unknown: &str) -> Vec<&str> {
        let left_out = self.left_out.keys().map(String::as_str);
        let mut names: Vec<_> = self.providers.names().chain(left_out).collect();
        names.sort_by_key(|known| (damerau_levenshtein(unknown, known), *known));
        names.truncate(NEAREST);
        names
    }

    fn add(&mut self, provider: Arc<dyn Provider>) {
        self.left_out.remove(provider.name());
        self.providers = std::mem::take(&mut self.providers).with(provider);
    }

    fn configure(&mut self, name: &str, settings: &ProviderSettings) -> Result<(), Error> {
        match openai(name, settings)? {
            Ok(provider) => self.add(provider),
            Err(reason) => {
                self.left_out.insert(name.to_owned(), reason);
            }
        }
        Ok(())
    }
}

/// The provider, or what it still needs.
fn openai(
    name: &str,
    settings: &ProviderSettings,
) -> Result<Result<Arc<dyn Provider>, String>, Error> {
    let ProviderSettings { kind: ProviderKind::OpenAi, base_url, api_key_env } = settings;
    let Some(base_url) = base_url.clone() else {
        return Ok(Err(format!(
            "it has no base URL; give --base-url, or set providers.{name}.base_url"
        )));
    };
    let api_key = match api_key_env {
        Some(variable) => match key_in(variable) {
            Some(key) => Some(key),
            None => {
                return Ok(Err(format!(
                    "the variable {variable}, which providers.{name}.api_key_env names, is not set"
                )));
            }
        },
        None if name == OPENAI => key_in(OPENAI_KEY),
        None => None,
    };
    let config = OpenAiConfig { name: name.to_owned(), base_url, api_key };
    match OpenAi::try_new(config) {
        Ok(provider) => Ok(Ok(Arc::new(provider))),
        Err(source) => Err(Error::Provider { name: name.to_owned(), source }),
    }
}

/// The key in an environment variable; an empty one counts as none.
fn key_in(variable: &str) -> Option<Secret> {
    let key = std::env::var(variable).ok()?;
    let key = key.trim();
    (!key.is_empty()).then(|| Secret::new(key.to_owned()))
}
