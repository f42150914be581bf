//! What stands on the command line.

mod value;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::command::budget::BudgetCommand;
use crate::command::install_scaler::InstallScalerArgs;
use crate::command::job::JobCommand;
use crate::command::ledger::LedgerCommand;
use crate::command::price::PriceCommand;
use crate::command::prune::PruneArgs;
use crate::command::queue::QueueCommand;
use crate::command::run::RunArgs;
use crate::command::schedule::ScheduleCommand;
use crate::command::submit::SubmitArgs;
use crate::command::worker::WorkerArgs;

pub(crate) use value::{duration, hold, job, money, pair, schedule};

/// Durable jobs for long, expensive model-driven work.
#[derive(Debug, Parser)]
#[command(name = "koinon", bin_name = "koinon", version)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options that every command takes, before or after its name.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Global {
    /// The configuration file, in place of koinon.toml
    #[arg(long, global = true, value_name = "FILE", help_heading = "Global options")]
    pub(crate) config: Option<PathBuf>,
    /// The database, such as sqlite://.koinon/koinon.db or postgres://user@host:5432/koinon
    #[arg(long, global = true, value_name = "URL", help_heading = "Global options")]
    pub(crate) database: Option<String>,
    /// The artifact store, such as file://.koinon/artifacts
    #[arg(long, global = true, value_name = "URL", help_heading = "Global options")]
    pub(crate) artifacts: Option<String>,
    /// Print one JSON object instead of text
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) json: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Submit a job, or find the one of the same input, and drive it to its end here
    Run(RunArgs),
    /// Submit a job for a worker
    Submit(SubmitArgs),
    /// Work on the jobs that wait
    Worker(WorkerArgs),
    /// Look at jobs and steer them
    #[command(subcommand)]
    Job(JobCommand),
    /// Submit jobs by the clock
    #[command(subcommand)]
    Schedule(ScheduleCommand),
    /// Change what a job may spend
    #[command(subcommand)]
    Budget(BudgetCommand),
    /// Clear up calls whose outcome is unknown
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Look at price profiles
    #[command(subcommand)]
    Price(PriceCommand),
    /// Look at queues, pause them, and let them go on
    #[command(subcommand)]
    Queue(QueueCommand),
    /// Show how much waits and runs in each queue
    Backlog,
    /// Let an autoscaler see the backlog of a Postgres database, and nothing else
    InstallScaler(InstallScalerArgs),
    /// Remove jobs, of every configured database, and blobs that are no longer kept
    Prune(PruneArgs),
    /// Check the configuration and everything that it names
    Doctor,
    /// Bring the database to the schema of this program
    Migrate,
}
