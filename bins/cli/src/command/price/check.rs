//! `koinon price check`: whether a file is a price profile.

use std::path::PathBuf;

use serde::Serialize;

use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::instant;
use crate::prices;

/// Options of `price check`.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// The profile, a TOML file
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

#[derive(Serialize)]
struct Checked {
    id: String,
    effective_from: String,
    prices: usize,
}

pub(crate) fn check(context: &Context, args: &CheckArgs) -> Result<Exit, Fault> {
    let profile = prices::read(&args.file)?;
    let checked = Checked {
        id: profile.id().to_string(),
        effective_from: instant::exact(profile.effective_from()),
        prices: profile.prices().count(),
    };
    context.console.show(&checked, |checked| {
        let Checked { id, effective_from, prices } = checked;
        let noun = if *prices == 1 { "price" } else { "prices" };
        format!("{id} is valid: {prices} {noun}, in effect from {effective_from}")
    })?;
    Ok(Exit::Succeeded)
}
