//! `koinon submit`: a job for a worker.

use koinon::store::Submitted;
use serde::Serialize;

use super::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::job_ref::JobRef;
use crate::open::Open;
use crate::order::WorkArgs;
use crate::view::JobView;

/// Options of `submit`.
#[derive(Debug, clap::Args)]
pub(crate) struct SubmitArgs {
    #[command(flatten)]
    work: WorkArgs,
}

#[derive(Serialize)]
struct SubmittedView {
    #[serde(flatten)]
    job: JobView,
    /// Whether there was no such job before.
    created: bool,
}

pub(crate) async fn submit(context: &Context, args: SubmitArgs) -> Result<Exit, Fault> {
    let work = &args.work;
    work.check()?;
    let builder = Open::new(context)
        .provider(&work.template.provider, work.base_url.as_deref())
        .prices(work.template.prices.as_deref())
        .builder()?;
    work.template.check_provider(&builder)?;
    let koinon = builder.open().await?;
    let submitted = work.submit(&koinon, context.console, Vec::new()).await?;
    let job = JobRef::Id(submitted.job()).find(&koinon).await?;
    koinon.close().await;
    if work.base_url.is_some() {
        let summary = "the address of the provider is not stored with the job";
        context.console.note(summary, "give --base-url to `koinon worker`, or configure it there");
    }
    let created = matches!(submitted, Submitted::Created(_));
    let view = SubmittedView { job: JobView::of(&job), created };
    context.console.show(&view, |view| {
        let mut lines = view.job.lines();
        lines.add("new", if view.created { "yes" } else { "no, it was submitted before" });
        lines.to_string()
    })?;
    Ok(Exit::Succeeded)
}
