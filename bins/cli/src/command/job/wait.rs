//! `koinon job wait`: follows a job until it has ended or stands still.

use std::time::Duration;

use koinon::Koinon;
use koinon::domain::{ErrorCode, JobId};
use koinon::store::JobStatus;

use crate::args;
use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::job_ref::JobRef;
use crate::open::Open;
use crate::progress::Bar;
use crate::signals::Signals;
use crate::view::JobView;

const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Options of `job wait`.
#[derive(Debug, clap::Args)]
pub(crate) struct WaitArgs {
    /// The job: its id, or at least 8 characters of its beginning
    #[arg(value_name = "JOB", value_parser = args::job)]
    job: JobRef,
    /// Give up after this time, such as 30s
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    timeout: Option<Duration>,
}

pub(crate) async fn wait(context: &Context, args: WaitArgs) -> Result<Exit, Fault> {
    let mut signals = Signals::listen()?;
    let koinon = Open::new(context).open().await?;
    let job = args.job.find(&koinon).await?.spec.id;
    let patience = args.timeout.unwrap_or(Duration::MAX);
    let waited = tokio::select! {
        waited = tokio::time::timeout(patience, until_still(&koinon, job)) => waited,
        () = signals.next() => return Err(Fault::interrupted("stopped waiting; the job goes on")),
    };
    let (job, exit) = waited.map_err(|_elapsed| {
        let summary = format!("the job goes on after {} s", patience.as_secs_f64());
        Fault::new(ErrorCode::TRANSIENT, summary)
            .help(format!("`koinon job status {job}` shows how far it is"))
    })??;
    koinon.close().await;
    context.console.show(&JobView::of(&job), |view| view.lines().to_string())?;
    Ok(exit)
}

async fn until_still(koinon: &Koinon, job: JobId) -> Result<(JobStatus, Exit), Fault> {
    let mut bar = Bar::new();
    loop {
        let status = JobRef::Id(job).find(koinon).await?;
        if let Some(exit) = Exit::of(status.run.state) {
            return Ok((status, exit));
        }
        bar.show(&status);
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
