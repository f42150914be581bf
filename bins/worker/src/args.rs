//! What stands on the command line.

use std::path::PathBuf;

use clap::Parser;
use koinon::settings::Flags;

/// Runs the jobs that wait, until SIGTERM or SIGINT drains it.
#[derive(Debug, Parser)]
#[command(name = "koinon-worker", version)]
pub(crate) struct Args {
    /// The configuration file, in place of koinon.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The database, such as postgres://user@host:5432/koinon or sqlite://.koinon/koinon.db
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// The artifact store, such as file://.koinon/artifacts
    #[arg(long, value_name = "URL")]
    artifacts: Option<String>,
    /// A price profile that overrides the built-in one
    #[arg(long, value_name = "FILE")]
    pub(crate) prices: Option<PathBuf>,
}

impl Args {
    /// What they say about the configuration.
    pub(crate) fn flags(&self) -> Flags {
        Flags {
            config: self.config.clone(),
            database: self.database.clone(),
            artifacts: self.artifacts.clone(),
            ..Flags::default()
        }
    }
}
