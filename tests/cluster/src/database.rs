//! A database for one test.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::cluster::Cluster;

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A database that is gone with the value.
#[derive(Debug)]
pub struct Database {
    cluster: &'static Cluster,
    name: Option<String>,
}

impl Database {
    pub(crate) fn create(cluster: &'static Cluster, template: &str) -> anyhow::Result<Self> {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{count}", std::process::id());
        cluster.run("postgres", &format!("CREATE DATABASE {name} TEMPLATE {template}"))?;
        Ok(Self { cluster, name: Some(name) })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// Its URL.
    #[must_use]
    pub fn url(&self) -> String {
        self.cluster.url(self.name())
    }

    /// Its cluster.
    #[must_use]
    pub const fn cluster(&self) -> &'static Cluster {
        self.cluster
    }

    pub(crate) fn keep(mut self) {
        self.name = None;
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(name) = self.name.take() {
            // A database that stays is in nobody's way: the cluster goes with the tests.
            drop(self.cluster.run("postgres", &format!("DROP DATABASE {name} WITH (FORCE)")));
        }
    }
}
