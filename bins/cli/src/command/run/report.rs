//! What `run` tells at its end.

use std::path::Path;

use koinon::Koinon;
use koinon::budget::{Axis, Mark};
use koinon::domain::{ErrorCode, State};
use koinon::store::{JobStatus, Manifest};
use serde::Serialize;

use super::RunArgs;
use super::drive::{Driver, Ending};
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

/// What went wrong, as it is told on standard error.
struct Told {
    code: ErrorCode,
    summary: String,
    help: Option<String>,
    exit: Exit,
}

pub(super) async fn report(
    context: &Context,
    args: &RunArgs,
    driver: &Driver<'_>,
    ending: Ending,
    was_done: bool,
) -> Result<Exit, Fault> {
    let (job, mut told) = match ending {
        Ending::Ended(job) => {
            let told = why_not_succeeded(&job);
            (job, told)
        }
        Ending::Interrupted(job) => {
            let told = interrupted(&job);
            (job, Some(told))
        }
        Ending::Trouble(job, trouble) => {
            let (code, summary) = (trouble.code, trouble.message);
            let help =
                "mend that, then run the same command again; nothing that was stored is lost";
            (job, Some(Told { code, summary, help: Some(help.to_owned()), exit: Exit::Failed }))
        }
    };
    let mut view = JobView::of(&job);
    let mut written = None;
    if let Some(manifest) = &job.run.manifest {
        for warning in Summary::of(manifest).warnings {
            context.console.warning(warning);
        }
        match write(driver.koinon, manifest, args.out.as_deref()).await {
            Ok(output) => written = Some(output),
            Err(fault) => told = Some(fault.into()),
        }
    }
    if let Some(told) = &told {
        context.console.error(&told.code, &told.summary, told.help.as_deref());
        if told.exit == Exit::Failed {
            view = view.with_error(&told.code, &told.summary);
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
    context.console.show(&view, text)?;
    if was_done && context.global.json {
        context.console.remark(already(&view));
    }
    Ok(told.map_or(Exit::Succeeded, |told| told.exit))
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

/// Why a job that has ended, or stands still, has not succeeded, and what to do about it.
fn why_not_succeeded(job: &JobStatus) -> Option<Told> {
    let id = job.spec.id;
    let exit = Exit::of(job.run.state).unwrap_or(Exit::Failed);
    let reason = job.run.failed.as_ref();
    let code = reason.map(|failed| failed.code.clone());
    let summary = reason.map(|failed| failed.summary.to_string());
    let (standard, sentence, help) = match exit {
        Exit::Succeeded => return None,
        Exit::Paused if code == Some(ErrorCode::BUDGET_EXHAUSTED) => {
            (ErrorCode::BUDGET_EXHAUSTED, "the budget is used up", raise(job))
        }
        Exit::Paused if code == Some(ErrorCode::CALL_IN_DOUBT) => {
            let help =
                format!("`koinon ledger in-doubt {id}` lists the calls to settle or release");
            (ErrorCode::CALL_IN_DOUBT, "the outcome of a call is unknown", help)
        }
        Exit::Paused => {
            let help = "run the same command again to go on".to_owned();
            return Some(Told {
                code: ErrorCode::foreign("paused"),
                summary: "the job was paused by request".to_owned(),
                help: Some(help),
                exit,
            });
        }
        Exit::Cancelled => {
            let help = "--again submits a new job".to_owned();
            (ErrorCode::foreign("cancelled"), "the job was cancelled", help)
        }
        Exit::Failed | Exit::Usage | Exit::Interrupted => {
            let help =
                format!("`koinon job events {id}` has the history; the same command tries again");
            (ErrorCode::PERMANENT, "the job failed", help)
        }
    };
    Some(Told {
        code: code.unwrap_or(standard),
        summary: summary.unwrap_or_else(|| sentence.to_owned()),
        help: Some(help),
        exit,
    })
}

/// The command that raises the limits which stand in the way.
fn raise(job: &JobStatus) -> String {
    let (limits, balance) = (&job.run.limits, &job.run.balance);
    let all = [
        (Axis::Cost, "--budget-usd X"),
        (Axis::Calls, "--max-calls N"),
        (Axis::Items, "--max-items N"),
    ];
    let set = all.into_iter().filter(|(axis, _)| limits.on(*axis).is_some());
    let reached = |mark: Option<Mark>| -> Vec<&str> {
        set.clone()
            .filter(|(axis, _)| balance.mark(limits, *axis) >= mark)
            .map(|(_, option)| option)
            .collect()
    };
    // The limit that refused a call need not be spent to the end; then those nearest to it are named.
    let options = [Some(Mark::Percent100), Some(Mark::Percent80), None].map(reached);
    let options = options.into_iter().find(|options| !options.is_empty()).unwrap_or_default();
    let id = job.spec.id;
    format!("`koinon budget raise {id} {}`, then the same command again", options.join(" "))
}

fn interrupted(job: &JobStatus) -> Told {
    let id = job.spec.id;
    let (summary, help) = match job.run.state {
        State::Queued | State::RetryWait => (
            "stopped, and the job is handed back",
            "run the same command again to go on".to_owned(),
        ),
        _ => (
            "stopped; another process has the job, or its lease has not expired yet",
            format!("run the same command again to go on, or follow it by `koinon job wait {id}`"),
        ),
    };
    Told {
        code: ErrorCode::INTERRUPTED,
        summary: summary.to_owned(),
        help: Some(help),
        exit: Exit::Interrupted,
    }
}

impl From<Fault> for Told {
    fn from(fault: Fault) -> Self {
        let Fault { code, summary, help, exit } = fault;
        Self { code, summary, help, exit }
    }
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
