//! `koinon schedule run-now`: a job beside the ticks.

use koinon::domain::ScheduleName;

use super::not_found;
use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::job_ref::JobRef;
use crate::open::Open;
use crate::view::JobView;

pub(crate) async fn run_now(context: &Context, name: &ScheduleName) -> Result<Exit, Fault> {
    let koinon = Open::new(context).open().await?;
    let submitted = koinon.run_schedule_now(name).await?.ok_or_else(|| not_found(name))?;
    let job = JobRef::Id(submitted.job()).find(&koinon).await?;
    koinon.close().await;
    context.console.show(&JobView::of(&job), |view| view.lines().to_string())?;
    Ok(Exit::Succeeded)
}
