//! `cargo xtask install-scaler`: lets an autoscaler see the backlog of a database, and nothing else.

use std::process::ExitCode;

use crate::koinon;

/// Runs `koinon install-scaler` of this checkout on the database.
pub(crate) fn run(database: &str, role: &str) -> anyhow::Result<ExitCode> {
    koinon::run(&["--database", database, "install-scaler", "--role", role])
}
