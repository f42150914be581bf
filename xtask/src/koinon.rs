//! The command line of this checkout.

use std::process::ExitCode;

use crate::{process, workspace};

/// Builds and runs `koinon` where the caller stands, since a relative path is meant from there.
pub(crate) fn run(args: &[&str]) -> anyhow::Result<ExitCode> {
    let here = std::env::current_dir()?;
    let manifest = workspace::root()?.join("Cargo.toml");
    let mut command = process::cargo(&here, ["run", "--manifest-path"]);
    command.arg(manifest).args(["--package", "koinon-cli", "--bin", "koinon", "--"]).args(args);
    Ok(process::exit_code(process::status(&mut command)?))
}
