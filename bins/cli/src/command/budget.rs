//! `koinon budget`: what a job may spend.

use clap::Subcommand;
use koinon::domain::State;
use koinon::store::{ControlAnswer, ControlRequest};
use serde::Serialize;

use super::Context;
use crate::args;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::job_ref::JobRef;
use crate::open::Open;
use crate::order::LimitArgs;
use crate::view::JobView;

/// The commands of `budget`.
#[derive(Debug, Subcommand)]
pub(crate) enum BudgetCommand {
    /// Raise the limits of a job; a lower value than the present one changes nothing
    Raise(RaiseArgs),
}

/// Options of `budget raise`.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("limit").required(true).multiple(true)
    .args(["budget_usd", "max_calls", "max_items"]))]
pub(crate) struct RaiseArgs {
    /// The job
    #[arg(value_name = "JOB", value_parser = args::job)]
    job: JobRef,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Serialize)]
struct Raised {
    #[serde(flatten)]
    job: JobView,
    /// Whether a limit is higher now.
    changed: bool,
}

pub(crate) async fn budget(context: &Context, command: BudgetCommand) -> Result<Exit, Fault> {
    match command {
        BudgetCommand::Raise(args) => raise(context, args).await,
    }
}

async fn raise(context: &Context, args: RaiseArgs) -> Result<Exit, Fault> {
    let koinon = Open::new(context).open().await?;
    let id = args.job.find(&koinon).await?.spec.id;
    let request = ControlRequest::RaiseLimits(args.limits.limits());
    let changed = match koinon.jobs().control(koinon.tenant(), id, request).await? {
        ControlAnswer::Done(controlled) => controlled.changed,
        ControlAnswer::Refused(refusal) => return Err(Fault::refused(refusal)),
        ControlAnswer::NotFound => return Err(Fault::not_found(format!("there is no job {id}"))),
    };
    let job = JobRef::Id(id).find(&koinon).await?;
    koinon.close().await;
    context.console.show(&Raised { job: JobView::of(&job), changed }, |raised| {
        raised.job.lines().to_string()
    })?;
    if !changed {
        context.console.remark("nothing changed: no limit of the job is lower than the one given");
    }
    if job.run.state == State::Paused {
        let id = job.spec.id;
        context.console.remark(format!(
            "to go on, run the same command again, or `koinon job resume {id}` where a worker runs"
        ));
    }
    Ok(Exit::Succeeded)
}
