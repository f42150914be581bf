//! `kit-worker migrate`: brings the database to the schema of this program.

use std::process::ExitCode;

use koinon::Koinon;

use crate::engine;

pub(crate) async fn migrate() -> anyhow::Result<ExitCode> {
    Koinon::migrate(&engine::settings()?).await?;
    Ok(ExitCode::SUCCESS)
}
