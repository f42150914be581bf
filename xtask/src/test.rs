//! `cargo xtask test`: the tests of the whole workspace.

use std::path::Path;
use std::process::{Command, ExitCode};

use koinon_cluster::Cluster;

use crate::{process, tools, workspace};

/// Builds the programs, then runs the tests; the run ends with the summary of the test runner.
pub(crate) fn run(args: &[String]) -> anyhow::Result<ExitCode> {
    let root = workspace::root()?;
    let mut runner = runner(&root, args)?;
    let cluster = cluster()?;
    let (name, value) = cluster.env();
    runner.env(name, value);
    let built = process::status(&mut programs(&root))?;
    if !built.success() {
        return Ok(process::exit_code(built));
    }
    Ok(process::exit_code(process::status(&mut runner)?))
}

/// The Postgres that the tests of a run share, gone with the value. Where its programs or those of the
/// pooler in front of it are missing they are installed.
pub(crate) fn cluster() -> anyhow::Result<Cluster> {
    koinon_cluster::install()?;
    koinon_cluster::need_faketime()?;
    koinon_cluster::install_pooler()?;
    Cluster::start()
}

/// Builds the programs that the end-to-end tests start. The tests are built along, so that both
/// are built from the same features, and no dependency is built twice.
pub(crate) fn programs(root: &Path) -> Command {
    process::cargo(root, ["build", "--bin", "koinon", "--tests"])
}

/// Tells the tests where the program is that was built for their run; without it they have cargo build one.
const PROGRAM: &str = "KOINON_TEST_PROGRAM";

/// The run of all tests, or of those that the caller's words to the test runner choose. [`programs`] comes first.
pub(crate) fn runner(root: &Path, args: &[String]) -> anyhow::Result<Command> {
    let mut command = tools::NEXTEST.command(root, ["run"])?;
    command.args(args);
    command.env(PROGRAM, workspace::target(root).join("debug").join("koinon"));
    Ok(command)
}
