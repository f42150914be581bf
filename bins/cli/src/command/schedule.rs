//! `koinon schedule`: jobs that come by the clock.

mod add;
mod list;
mod run_now;
mod steer;
mod view;

use clap::Subcommand;
use koinon::domain::{ErrorCode, ScheduleName};
use koinon::store::ScheduleControl;

use super::Context;
use crate::args;
use crate::exit::Exit;
use crate::fault::Fault;

/// The commands of `schedule`.
#[derive(Debug, Subcommand)]
pub(crate) enum ScheduleCommand {
    /// List schedules, by name
    List,
    /// Add a schedule
    Add(Box<add::AddArgs>),
    /// Make no jobs until the schedule is resumed
    Pause(NameArg),
    /// Go on with the next tick
    Resume(NameArg),
    /// Submit a job of the schedule now, beside its ticks
    RunNow(NameArg),
    /// Remove a schedule; its jobs stay
    Remove(NameArg),
}

/// The schedule that a command is about.
#[derive(Debug, clap::Args)]
pub(crate) struct NameArg {
    /// The schedule's name
    #[arg(value_name = "NAME", value_parser = args::schedule)]
    name: ScheduleName,
}

pub(crate) async fn schedule(context: &Context, command: ScheduleCommand) -> Result<Exit, Fault> {
    match command {
        ScheduleCommand::List => list::list(context).await,
        ScheduleCommand::Add(args) => add::add(context, *args).await,
        ScheduleCommand::Pause(args) => {
            steer::steer(context, &args.name, ScheduleControl::Pause).await
        }
        ScheduleCommand::Resume(args) => {
            steer::steer(context, &args.name, ScheduleControl::Resume).await
        }
        ScheduleCommand::RunNow(args) => run_now::run_now(context, &args.name).await,
        ScheduleCommand::Remove(args) => steer::remove(context, &args.name).await,
    }
}

fn not_found(name: &ScheduleName) -> Fault {
    Fault::new(ErrorCode::NOT_FOUND, format!("there is no schedule {name}")).help(
        "`koinon schedule list` shows the schedules of this database; `--database` names another",
    )
}
