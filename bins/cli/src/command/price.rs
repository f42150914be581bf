//! `koinon price`: the prices that calls are charged at.

mod check;
mod list;

use clap::Subcommand;

use super::Context;
use crate::exit::Exit;
use crate::fault::Fault;

/// The commands of `price`.
#[derive(Debug, Subcommand)]
pub(crate) enum PriceCommand {
    /// Show the prices in effect
    List(list::ListArgs),
    /// Check a price profile
    Check(check::CheckArgs),
}

pub(crate) fn price(context: &Context, command: PriceCommand) -> Result<Exit, Fault> {
    match command {
        PriceCommand::List(args) => list::list(context, &args),
        PriceCommand::Check(args) => check::check(context, &args),
    }
}
