//! `koinon job status`: how a job stands.

use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::job_ref::JobRef;
use crate::open::Open;
use crate::view::JobView;

pub(crate) async fn status(context: &Context, job: &JobRef) -> Result<Exit, Fault> {
    let koinon = Open::new(context).open().await?;
    let job = job.find(&koinon).await?;
    koinon.close().await;
    context.console.show(&JobView::of(&job), |view| {
        let mut lines = view.lines();
        lines.add("submitted", &view.submitted_at);
        if let Some(ended_at) = &view.ended_at {
            lines.add("ended", ended_at);
        }
        lines.to_string()
    })?;
    Ok(Exit::Succeeded)
}
