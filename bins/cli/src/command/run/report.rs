//! What `run` tells at its end.

use std::path::Path;

use koinon::Koinon;
use koinon::store::Manifest;
use serde::Serialize;

use super::RunArgs;
use super::drive::{Driver, Ending};
use super::reason::Reason;
use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::output;
use crate::view::{JobView, OutputView, Summary};

#[derive(Serialize)]
struct RunView {
    #[serde(flatten)]
    job: JobView,
    /// Requests that this process sent.
    calls_this_run: u64,
    /// Calls of this process that a stored answer served.
    replayed_calls: u64,
    output: Option<OutputView>,
    #[serde(skip)]
    was_done: bool,
}

/// Writes the output of a job that has succeeded, and tells how the run ended.
pub(super) async fn report(
    context: &Context,
    args: &RunArgs,
    driver: &Driver<'_>,
    ending: Ending,
    was_done: bool,
) -> Result<Exit, Fault> {
    let console = context.console;
    let (mut reason, job) = match ending {
        Ending::Ended(job) => (Reason::of(&job), job),
        Ending::Interrupted(job) => (Some(Reason::interrupted(&job)), job),
        Ending::Trouble(job, trouble) => (Some(Reason::trouble(trouble)), job),
    };
    let mut written = None;
    if let Some(manifest) = &job.run.manifest {
        for warning in Summary::of(manifest).warnings {
            console.warning(warning);
        }
        match write(driver.koinon, manifest, args.out.as_deref()).await {
            Ok(output) => written = Some(output),
            Err(fault) => reason = Some(fault.into()),
        }
    }
    let mut view = JobView::of(&job);
    if let Some(reason) = &reason {
        reason.tell(console);
        if let (Exit::Failed, Some(code)) = (reason.exit, &reason.code) {
            view = view.with_error(code, &reason.summary);
        }
    }
    let done = driver.done;
    let view = RunView {
        job: view,
        calls_this_run: done.calls,
        replayed_calls: done.replayed,
        output: written,
        was_done,
    };
    if was_done && context.global.json {
        console.remark(already(&view));
    }
    console.show(&view, text)?;
    Ok(reason.map_or(Exit::Succeeded, |reason| reason.exit))
}

async fn write(
    koinon: &Koinon,
    manifest: &Manifest,
    dir: Option<&Path>,
) -> Result<OutputView, Fault> {
    if let Some(dir) = dir {
        output::write(koinon, manifest, dir).await?;
    }
    Ok(OutputView::of(manifest, dir))
}

fn already(view: &RunView) -> String {
    format!("job {} has already succeeded", view.job.job_id)
}

fn text(view: &RunView) -> String {
    let mut lines = view.job.lines();
    if view.calls_this_run > 0 || view.replayed_calls > 0 {
        let (sent, replayed) = (view.calls_this_run, view.replayed_calls);
        lines.add("this run", format!("{sent} calls sent, {replayed} replayed"));
    }
    if let Some(output) = &view.output {
        lines.add("rows", output.rows_text());
        lines.add("files", output.files_text());
    }
    if view.was_done { format!("{}\n{lines}", already(view)) } else { lines.to_string() }
}
