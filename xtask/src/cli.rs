//! The command line: one variant a verb.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::bench::suite::{self, Options, Suite, Telling};
use crate::{
    arrows, bench, chaos, ci, install_scaler, migrate, problem, schema, test, tidy, workspace,
};

/// The tasks of this repository.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Run every check: fmt, arrows, tidy, schema, deny, clippy, doc, doctests, tests
    Ci,
    /// Build the programs and run the tests of the whole workspace
    Test {
        /// Passed on to the test runner, such as a part of a test's name
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Check the house rules that no compiler knows
    Tidy {
        /// The tree to check instead of this workspace
        #[arg(long, value_name = "DIR")]
        root: Option<PathBuf>,
    },
    /// Check that each crate depends on lower layers only
    Arrows {
        /// The tree to check instead of this workspace
        #[arg(long, value_name = "DIR")]
        root: Option<PathBuf>,
    },
    /// Check that the migrations make the schema of the golden file
    Schema {
        /// Rewrite the golden file from the migrations
        #[arg(long)]
        bless: bool,
        /// The tree to check instead of this workspace
        #[arg(long, value_name = "DIR")]
        root: Option<PathBuf>,
    },
    /// Measure, and say which floors hold
    Bench {
        #[command(subcommand)]
        bench: Bench,
    },
    /// Kill, stop and cut off workers at random, and check what they leave
    Chaos(chaos::Chaos),
    /// Bring a database to the schema of this checkout
    Migrate {
        /// The database, such as `sqlite://.koinon/koinon.db` or `postgres://localhost/koinon`
        #[arg(long, value_name = "URL")]
        database: String,
    },
    /// Let one role of a Postgres database see the backlog, and nothing else
    InstallScaler {
        /// The database, such as `postgres://localhost/koinon`, as the owner of its tables
        #[arg(long, value_name = "URL")]
        database: String,
        /// The role; it must exist
        #[arg(long, value_name = "NAME")]
        role: String,
    },
}

#[derive(Debug, Subcommand)]
enum Bench {
    /// The dataset workload: overhead of the engine, throughput, memory, start
    Dataset {
        /// Print one JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Submitting and running jobs on Postgres, beside bare statements that do the same
    Engine(Options),
    /// The time from a submission to a start on a Postgres worker that is idle
    Latency(Options),
    /// The time of a look at the backlog beside a long history, while workers claim jobs from Postgres
    Backlog(Options),
    /// The statements, the memory and the processor time of worker processes that have nothing to do
    Idle(Telling),
}

impl Cli {
    /// Runs the verb and answers the status to exit with.
    ///
    /// # Errors
    ///
    /// When the verb could not do its work; a check that found problems is a status instead.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.verb {
            Verb::Ci => ci::run(),
            Verb::Test { args } => test::run(&args),
            Verb::Tidy { root } => {
                problem::report("tidy", &tidy::check(&workspace::root_or(root)?)?)
            }
            Verb::Arrows { root } => {
                problem::report("arrows", &arrows::check(&workspace::root_or(root)?)?)
            }
            Verb::Schema { bless: true, root } => schema::bless(&workspace::root_or(root)?),
            Verb::Schema { bless: false, root } => {
                problem::report("schema", &schema::check(&workspace::root_or(root)?)?)
            }
            Verb::Bench { bench } => bench.run(),
            Verb::Chaos(chaos) => chaos::run(&chaos),
            Verb::Migrate { database } => migrate::run(&database),
            Verb::InstallScaler { database, role } => install_scaler::run(&database, &role),
        }
    }
}

impl Bench {
    fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Dataset { json } => bench::dataset::run(json),
            Self::Engine(options) => suite::run(Suite::Engine, &options),
            Self::Latency(options) => suite::run(Suite::Latency, &options),
            Self::Backlog(options) => suite::run(Suite::Backlog, &options),
            Self::Idle(telling) => suite::run(Suite::Idle, &Options::on_its_own(telling)),
        }
    }
}
