//! `cargo xtask chaos`: workers that are killed, stopped and cut off at random, and a checker that looks at
//! what they leave.
//!
//! The work is done by the program `chaos` of `tests/e2e`; here it is built and started, with the worker
//! of this workspace or with one in which a fault was planted.

mod copy;
pub(crate) mod plant;

use std::ffi::OsString;
use std::hash::{BuildHasher as _, RandomState};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::ValueEnum;

use crate::built::{self, build};
use crate::{process, workspace};
use plant::Plant;

/// How long the workers are harmed; a fault that was planted shows earlier.
const SECONDS: u64 = 60;
const PLANTED_SECONDS: u64 = 30;

/// How few jobs show a fault that was planted.
const PLANTED_JOBS: &str = "100";

/// There was no run, so that nothing can be said about any promise.
const NO_RUN: u8 = 2;

/// What a run is to be.
#[derive(Debug, clap::Args)]
pub(crate) struct Chaos {
    /// What the workers share
    #[arg(long, value_enum, default_value = "sqlite")]
    store: Store,
    /// How many workers there are, 1 to 64
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    workers: u16,
    /// How long they are treated badly: 60, or 30 with a planted fault, unless it is given
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: Option<u64>,
    /// Do what the run did that printed this seed
    #[arg(long)]
    seed: Option<u64>,
    /// Build the worker with this fault, which the checker must see: exit 1
    #[arg(long, value_enum)]
    plant: Option<Plant>,
    /// Keep the folder of the run also when every promise was kept
    #[arg(long)]
    keep: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Store {
    Sqlite,
    Postgres,
}

/// Builds the programs and runs them. The status is that of the run: 0 when every promise was kept, 1 when one
/// was broken, 2 when there was no run, 3 when a worker ended without being told to.
pub(crate) fn run(chaos: &Chaos) -> anyhow::Result<ExitCode> {
    match try_run(chaos) {
        Ok(code) => Ok(code),
        Err(error) => {
            // As for any error; but 1 would say that a promise was broken.
            writeln!(std::io::stderr(), "error: {error:#}")?;
            Ok(ExitCode::from(NO_RUN))
        }
    }
}

fn try_run(chaos: &Chaos) -> anyhow::Result<ExitCode> {
    let root = workspace::root()?;
    let target = workspace::target(&root);
    if matches!(chaos.store, Store::Postgres) {
        koinon_cluster::install()?;
    }
    build(process::cargo(&root, ["build", "--bin", "chaos", "--bin", "kit-worker"]))?;
    let worker = match chaos.plant {
        None => target.join("debug").join("kit-worker"),
        Some(plant) => planted(plant, &root, &target)?,
    };
    let mut command = Command::new(target.join("debug").join("chaos"));
    command.arg("--program").arg(worker).args(chaos.args());
    let status = process::status(&mut command)?;
    if let (Some(plant), true) = (chaos.plant, status.success()) {
        writeln!(std::io::stderr(), "the checker did not see the fault {}", plant.name())?;
    }
    Ok(process::exit_code(status))
}

/// Builds the worker from a copy of the source in which a fault was planted.
fn planted(plant: Plant, root: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    let folder = target.join("plant");
    let source = folder.join("source");
    let edits = plant.edited(root)?;
    copy::source(root, &source, &edits)?;
    let built = folder.join("target");
    built::dependencies(&target.join("debug"), &built.join("debug"))?;
    writeln!(std::io::stderr(), "planted {}: {}", plant.name(), plant.says())?;
    let mut command = process::cargo(&source, ["build", "--bin", "kit-worker"]);
    command.env("CARGO_TARGET_DIR", &built);
    build(command)?;
    Ok(built.join("debug").join("kit-worker"))
}

impl Chaos {
    /// What the program that does the work is told.
    fn args(&self) -> Vec<OsString> {
        let is_planted = self.plant.is_some();
        let seconds = self.seconds.unwrap_or(if is_planted { PLANTED_SECONDS } else { SECONDS });
        // Any seed will do, as long as it is another one each time, and short enough for any reader of JSON.
        let drawn = || RandomState::new().hash_one(std::process::id()) >> 32;
        let seed = self.seed.unwrap_or_else(drawn);
        let store = match self.store {
            Store::Sqlite => "sqlite",
            Store::Postgres => "postgres",
        };
        let mut args: Vec<OsString> = ["--store", store].map(OsString::from).into();
        for (name, value) in [
            ("--workers", self.workers.to_string()),
            ("--seconds", seconds.to_string()),
            ("--seed", seed.to_string()),
        ] {
            args.extend([name.into(), value.into()]);
        }
        if self.keep {
            args.push("--keep".into());
        }
        if is_planted {
            args.extend(["--jobs", PLANTED_JOBS].map(OsString::from));
        }
        args
    }
}
