//! `cargo xtask migrate`: brings a database to the schema of this checkout.

use std::process::ExitCode;

use crate::koinon;

/// Runs `koinon migrate` of this checkout on the database.
pub(crate) fn run(database: &str) -> anyhow::Result<ExitCode> {
    koinon::run(&["--database", database, "migrate"])
}
