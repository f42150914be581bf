//! `koinon install-scaler`: lets an autoscaler see the backlog, and nothing else.

use koinon::Koinon;
use serde::Serialize;

use super::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::open::Open;

/// Options of `install-scaler`.
#[derive(Debug, clap::Args)]
pub(crate) struct InstallScalerArgs {
    /// The role that may execute koinon_scaler.backlog(); it must exist, and may read nothing else
    #[arg(long, value_name = "NAME")]
    role: String,
}

#[derive(Serialize)]
struct Installed {
    function: &'static str,
    role: String,
}

pub(crate) async fn install_scaler(
    context: &Context,
    args: InstallScalerArgs,
) -> Result<Exit, Fault> {
    let settings = Open::new(context).load()?.settings;
    let role = args.role;
    Koinon::install_scaler(&settings, &role).await?;
    let installed = Installed { function: "koinon_scaler.backlog()", role };
    context.console.show(&installed, |installed| {
        format!("the role {} may execute {}", installed.role, installed.function)
    })?;
    Ok(Exit::Succeeded)
}
