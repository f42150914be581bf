//! `cargo xtask migrate`: brings a database to the schema of this checkout.

use std::process::ExitCode;

use crate::{process, workspace};

/// Runs `koinon migrate` of this checkout on the database.
pub(crate) fn run(database: &str) -> anyhow::Result<ExitCode> {
    // A relative path in the URL is meant from where the caller stands, not from the workspace.
    let here = std::env::current_dir()?;
    let manifest = workspace::root()?.join("Cargo.toml");
    let mut command = process::cargo(&here, ["run", "--manifest-path"]);
    command.arg(manifest).args(["--package", "koinon-cli", "--bin", "koinon"]);
    command.args(["--", "--database", database, "migrate"]);
    Ok(process::exit_code(process::status(&mut command)?))
}
