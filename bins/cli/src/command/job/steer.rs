//! `koinon job pause|resume|cancel|retry`: asks something of a job.

use std::time::Duration;

use koinon::Koinon;
use koinon::domain::{Control, ControlRefusal, JobId, State};
use koinon::store::{ControlAnswer, ControlRequest, Controlled};

use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::job_ref::JobRef;
use crate::open::Open;
use crate::view::JobView;

/// How often a job that is pausing is asked again.
const ASK_EVERY: Duration = Duration::from_millis(200);
/// How long after its time to flush a live worker has ended the claim.
const GRACE: Duration = Duration::from_secs(5);

pub(crate) async fn steer(
    context: &Context,
    job: &JobRef,
    control: Control,
) -> Result<Exit, Fault> {
    let koinon = Open::new(context).open().await?;
    let id = job.find(&koinon).await?.spec.id;
    let patience = koinon.settings().operations.flush_for + GRACE;
    let asked = tokio::time::timeout(patience, ask_until_still(&koinon, id, control)).await;
    match asked {
        Ok(controlled) => controlled?,
        Err(_elapsed) => {
            return Err(Fault::refused(ControlRefusal::StillPausing).help(
                "its worker seems gone: it pauses when the lease has expired and a worker runs",
            ));
        }
    };
    let job = JobRef::Id(id).find(&koinon).await?;
    koinon.close().await;
    context.console.show(&JobView::of(&job), |view| view.lines().to_string())?;
    if job.run.state == State::Queued {
        context.console.remark("it waits for a worker: `koinon worker`, or the same `koinon run`");
    }
    Ok(Exit::Succeeded)
}

/// Asks again while the job is still finishing what was under way.
async fn ask_until_still(
    koinon: &Koinon,
    job: JobId,
    control: Control,
) -> Result<Controlled, Fault> {
    loop {
        match ask(koinon, job, control).await? {
            Ok(controlled) => return Ok(controlled),
            Err(ControlRefusal::StillPausing) => tokio::time::sleep(ASK_EVERY).await,
            Err(refusal) => return Err(Fault::refused(refusal)),
        }
    }
}

/// Asks once.
pub(crate) async fn ask(
    koinon: &Koinon,
    job: JobId,
    control: Control,
) -> Result<Result<Controlled, ControlRefusal>, Fault> {
    let request = ControlRequest::State(control);
    match koinon.jobs().control(koinon.tenant(), job, request).await? {
        ControlAnswer::Done(controlled) => Ok(Ok(controlled)),
        ControlAnswer::Refused(refusal) => Ok(Err(refusal)),
        ControlAnswer::NotFound => Err(Fault::not_found(format!("there is no job {job}"))),
    }
}
