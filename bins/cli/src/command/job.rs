//! `koinon job`: looks at jobs and steers them.

mod artifacts;
mod cost;
mod events;
mod explain;
mod list;
mod status;
mod steer;
mod wait;

pub(super) use events::all as all_events;
pub(super) use steer::ask;

use clap::Subcommand;
use koinon::domain::Control;

use super::Context;
use crate::args;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::job_ref::JobRef;

/// The commands of `job`.
#[derive(Debug, Subcommand)]
pub(crate) enum JobCommand {
    /// List jobs, newest first
    List(list::ListArgs),
    /// Show how a job stands
    Status(JobArg),
    /// Show the history of a job
    Events(JobArg),
    /// Show why a job is not running
    Explain(JobArg),
    /// Show what a job's calls cost
    Cost(JobArg),
    /// Stop a job for now; what is under way is finished first
    Pause(JobArg),
    /// Queue a paused job again
    Resume(JobArg),
    /// End a job for good
    Cancel(JobArg),
    /// Queue a failed job again
    Retry(JobArg),
    /// Wait until a job has ended or stands still
    Wait(wait::WaitArgs),
    /// List the files that a job put out, or write them to a folder
    Artifacts(artifacts::ArtifactsArgs),
}

/// The job that a command is about.
#[derive(Debug, clap::Args)]
pub(crate) struct JobArg {
    /// The job: its id, or at least 8 characters of its beginning
    #[arg(value_name = "JOB", value_parser = args::job)]
    pub(crate) job: JobRef,
}

pub(crate) async fn job(context: &Context, command: JobCommand) -> Result<Exit, Fault> {
    match command {
        JobCommand::List(args) => list::list(context, args).await,
        JobCommand::Status(args) => status::status(context, &args.job).await,
        JobCommand::Events(args) => events::events(context, &args.job).await,
        JobCommand::Explain(args) => explain::explain(context, &args.job).await,
        JobCommand::Cost(args) => cost::cost(context, &args.job).await,
        JobCommand::Pause(args) => steer::steer(context, &args.job, Control::Pause).await,
        JobCommand::Resume(args) => steer::steer(context, &args.job, Control::Resume).await,
        JobCommand::Cancel(args) => steer::steer(context, &args.job, Control::Cancel).await,
        JobCommand::Retry(args) => steer::steer(context, &args.job, Control::Retry).await,
        JobCommand::Wait(args) => wait::wait(context, args).await,
        JobCommand::Artifacts(args) => artifacts::artifacts(context, args).await,
    }
}
