//! From the database's address to its store. The only place that names the adapters.

use std::sync::Arc;

use koinon_store::{Clock, JobStore, LeaseStore, LedgerStore};
use koinon_store_sqlite::{Options, SqliteStore};

use crate::Error;
use crate::settings::Settings;

/// An open store, as each of its ports and as what can be closed.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) jobs: Arc<dyn JobStore>,
    pub(crate) leases: Arc<dyn LeaseStore>,
    pub(crate) ledger: Arc<dyn LedgerStore>,
    store: SqliteStore,
}

impl Database {
    pub(crate) async fn open(settings: &Settings, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        let url = settings.database.url.trim();
        let reason = match url.split_once(':') {
            Some(("sqlite", _)) => None,
            Some(("postgres" | "postgresql", _)) => {
                Some("this build has no adapter for Postgres yet".to_owned())
            }
            Some((scheme, _)) if is_scheme(scheme) => {
                Some(format!("there is no store for the scheme {scheme}"))
            }
            _ => Some("it is not a URL".to_owned()),
        };
        if let Some(reason) = reason {
            return Err(Error::Database { reason });
        }
        let options = Options {
            busy_for: settings.store.busy_for,
            readers: settings.database.max_connections,
        };
        let store = SqliteStore::open(url, options, clock).await?;
        Ok(Self {
            jobs: Arc::new(store.clone()),
            leases: Arc::new(store.clone()),
            ledger: Arc::new(store.clone()),
            store,
        })
    }

    pub(crate) async fn close(&self) {
        self.store.close().await;
    }
}

/// Whether it can be shown: what stands before a colon may also be a part of a secret.
fn is_scheme(text: &str) -> bool {
    !text.is_empty() && text.len() <= 12 && text.bytes().all(|byte| byte.is_ascii_lowercase())
}
