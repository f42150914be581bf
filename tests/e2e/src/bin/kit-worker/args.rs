//! What the command line says.

use std::path::PathBuf;

/// A worker for tests, with test workloads on queues of their own
#[derive(Debug, clap::Parser)]
#[command(name = "kit-worker")]
pub(crate) struct Args {
    /// A price profile that overrides the built-in one
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) prices: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Verb {
    /// Work until SIGTERM or SIGINT, then drain; prints the worker id first
    Work,
    /// Submit jobs, one JSON object a line, and print their ids
    Submit {
        /// The file of jobs
        file: PathBuf,
    },
    /// Bring the database to the schema of this program
    Migrate,
}
