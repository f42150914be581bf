//! `koinon run`: submits the job, or finds it, and drives it to its end in this process.

mod approach;
mod drive;
mod reason;
mod report;

use std::path::PathBuf;
use std::time::Duration;

use koinon::Koinon;
use koinon::domain::State;
use koinon::store::{JobStatus, Submitted};

use super::Context;
use super::job::ask;
use crate::console::Console;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::instant;
use crate::job_ref::JobRef;
use crate::open::Open;
use crate::order::WorkArgs;
use crate::output;
use crate::signals::Signals;
use approach::{Next, next};
use drive::{Driver, Ending};

/// How long a Ctrl-C lets the work go on, unless it is configured.
const DRAIN_FOR: Duration = Duration::from_secs(3);

/// Options of `run`.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    work: WorkArgs,
    /// Write the results to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) async fn run(context: &Context, args: RunArgs) -> Result<Exit, Fault> {
    args.work.check()?;
    if let Some(out) = &args.out {
        output::check(out).map_err(|fault| {
            fault.help("choose another folder with --out; nothing was submitted")
        })?;
    }
    let mut signals = Signals::listen()?;
    let (koinon, found) = tokio::select! {
        begun = begin(context, &args) => begun?,
        () = signals.next() => {
            return Err(Fault::interrupted("stopped before the job was submitted"));
        }
    };
    let mut driver = Driver::new(&koinon, context.console, signals);
    let was_done = found.run.state == State::Succeeded;
    let ending = to_the_end(&mut driver, &args, found).await?;
    let exit = report::report(context, &args, &driver, ending, was_done).await?;
    koinon.close().await;
    Ok(exit)
}

/// Opens everything, and submits or finds the job.
async fn begin(context: &Context, args: &RunArgs) -> Result<(Koinon, JobStatus), Fault> {
    let work = &args.work;
    let builder = Open::new(context)
        .provider(&work.template.provider, work.base_url.as_deref())
        .prices(work.template.prices.as_deref())
        .drain_for(DRAIN_FOR)
        .builder()?;
    work.template.check_provider(&builder)?;
    let koinon = builder.open().await?;
    let found = submit(&koinon, context.console, args).await?;
    Ok((koinon, found))
}

async fn submit(koinon: &Koinon, console: Console, args: &RunArgs) -> Result<JobStatus, Fault> {
    koinon.check_provider(&args.work.template.provider)?;
    let submitted = args.work.submit(koinon, console, args.out.iter().cloned().collect()).await?;
    let job = JobRef::Id(submitted.job());
    if let Submitted::Existing(id) = submitted {
        approach::raise(koinon, id, args.work.template.limits.limits()).await?;
    }
    job.find(koinon).await
}

/// Does with the job what its state asks for, until it has ended, stands still, or this process is told
/// to stop.
async fn to_the_end(
    driver: &mut Driver<'_>,
    args: &RunArgs,
    found: JobStatus,
) -> Result<Ending, Fault> {
    let koinon = driver.koinon;
    let mut job = found;
    loop {
        match next(koinon, &job).await? {
            Next::Report => return Ok(Ending::Ended(Box::new(job))),
            Next::Steer(control) => {
                let answer = ask(koinon, job.spec.id, control).await?;
                let before = job.run.state;
                job = JobRef::Id(job.spec.id).find(koinon).await?;
                // Somebody else may have been quicker, and then the state is another now.
                if let Err(refusal) = answer
                    && job.run.state == before
                {
                    return Err(Fault::refused(refusal));
                }
            }
            Next::Drive => {
                note_holder(driver.console, &job);
                note_full_or_paused(driver, &job).await?;
                let stopping = matches!(job.run.state, State::Pausing | State::Cancelling);
                match driver.drive(job.spec.id).await? {
                    // A stop that was asked for before this run began is over: now it is this run's turn.
                    Ending::Ended(ended) if stopping && ended.run.state == State::Paused => {
                        job = *ended;
                    }
                    Ending::Ended(ended)
                        if stopping && args.work.again && ended.run.state == State::Cancelled =>
                    {
                        job = submit(koinon, driver.console, args).await?;
                    }
                    ending => return Ok(ending),
                }
            }
        }
    }
}

/// Says why nothing happens while the queue of a job that waits is paused, or as many of its jobs run as may.
async fn note_full_or_paused(driver: &Driver<'_>, job: &JobStatus) -> Result<(), Fault> {
    let Some(explained) = driver.koinon.explain(job.spec.id).await? else { return Ok(()) };
    let queue = &job.run.queue;
    for gate in explained.reasons() {
        match gate.name {
            "queue" => driver.console.note(
                &format!("queue {queue} is paused, and the job waits in it"),
                &format!("`koinon queue resume {queue}` lets it go on"),
            ),
            "running_limit" => driver.console.note(
                &format!("the job waits for a place in queue {queue}: {}", gate.value),
                "it goes on here as soon as one is free",
            ),
            _ => {}
        }
    }
    Ok(())
}

/// Says why nothing seems to happen while another worker has the job.
fn note_holder(console: Console, job: &JobStatus) {
    if let Some(lease) = job.run.lease {
        let until = instant::short(lease.expires_at);
        console.remark(format!(
            "another worker has the job, by a lease until {until} UTC; if that one is gone, it goes on here then"
        ));
    }
}
