//! The commands, one a file.

pub(crate) mod backlog;
pub(crate) mod budget;
pub(crate) mod doctor;
pub(crate) mod install_scaler;
pub(crate) mod job;
pub(crate) mod ledger;
pub(crate) mod migrate;
pub(crate) mod price;
pub(crate) mod prune;
pub(crate) mod queue;
pub(crate) mod run;
pub(crate) mod schedule;
pub(crate) mod submit;
pub(crate) mod worker;

use crate::args::{Command, Global};
use crate::console::Console;
use crate::exit::Exit;
use crate::fault::Fault;

/// What every command works with.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) global: Global,
    pub(crate) console: Console,
}

/// Does what the command line says.
pub(crate) async fn execute(context: &Context, command: Command) -> Result<Exit, Fault> {
    match command {
        Command::Run(args) => Box::pin(run::run(context, args)).await,
        Command::Submit(args) => Box::pin(submit::submit(context, args)).await,
        Command::Worker(args) => Box::pin(worker::worker(context, args)).await,
        Command::Job(command) => Box::pin(job::job(context, command)).await,
        Command::Schedule(command) => Box::pin(schedule::schedule(context, command)).await,
        Command::Budget(command) => budget::budget(context, command).await,
        Command::Ledger(command) => ledger::ledger(context, command).await,
        Command::Price(command) => price::price(context, command),
        Command::Queue(command) => queue::queue(context, command).await,
        Command::Backlog => backlog::backlog(context).await,
        Command::InstallScaler(args) => install_scaler::install_scaler(context, args).await,
        Command::Prune(args) => Box::pin(prune::prune(context, args)).await,
        Command::Doctor => doctor::doctor(context).await,
        Command::Migrate => migrate::migrate(context).await,
    }
}
