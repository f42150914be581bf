//! `koinon ledger`: calls whose outcome is unknown.

mod in_doubt;
mod reconcile;

use clap::Subcommand;
use koinon::budget::{Amounts, NanoUsd};
use koinon::domain::HoldId;
use koinon::store::Outcome;

use super::Context;
use crate::args;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::job_ref::JobRef;

/// The commands of `ledger`.
#[derive(Debug, Subcommand)]
pub(crate) enum LedgerCommand {
    /// List the calls whose outcome is unknown; they stay charged at their worst case
    InDoubt {
        /// Only those of this job
        #[arg(value_name = "JOB", value_parser = args::job)]
        job: Option<JobRef>,
    },
    /// Say that such a call was charged, and what it cost
    Settle {
        /// The hold of the call
        #[arg(value_name = "HOLD", value_parser = args::hold)]
        hold: HoldId,
        /// What it cost
        #[arg(long, value_name = "USD", value_parser = args::money, allow_hyphen_values = true)]
        cost_usd: NanoUsd,
    },
    /// Say that such a call was not charged
    Release {
        /// The hold of the call
        #[arg(value_name = "HOLD", value_parser = args::hold)]
        hold: HoldId,
    },
}

pub(crate) async fn ledger(context: &Context, command: LedgerCommand) -> Result<Exit, Fault> {
    match command {
        LedgerCommand::InDoubt { job } => in_doubt::in_doubt(context, job).await,
        LedgerCommand::Settle { hold, cost_usd } => {
            let cost = Amounts { cost: cost_usd, calls: 1, ..Amounts::ZERO };
            let outcome = Outcome::Charged { cost, usage: None, answer: None };
            reconcile::reconcile(context, hold, outcome).await
        }
        LedgerCommand::Release { hold } => {
            reconcile::reconcile(context, hold, Outcome::Nothing).await
        }
    }
}
