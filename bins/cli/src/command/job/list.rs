//! `koinon job list`: jobs, newest first.

use koinon::domain::{Kind, ProjectId, State};
use koinon::store::{JobFilter, Listed};
use serde::Serialize;

use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::instant;
use crate::open::Open;
use crate::view::{self, JobView};

/// Options of `job list`.
#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// Only jobs in this state
    #[arg(long, value_name = "STATE")]
    state: Option<State>,
    /// Only jobs of this kind
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Only jobs of this project
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
    /// So many jobs at the most
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
}

#[derive(Serialize)]
struct JobsView {
    jobs: Vec<JobView>,
    /// Those that cannot be read.
    unreadable: Vec<UnreadableView>,
    /// Whether there are older ones.
    more: bool,
    #[serde(skip)]
    submitted: Vec<String>,
}

/// A job whose rows cannot be read.
#[derive(Serialize)]
struct UnreadableView {
    job_id: String,
    error_code: &'static str,
    error_summary: String,
}

impl UnreadableView {
    fn of(listed: &Listed) -> Option<Self> {
        match listed {
            Listed::Job(_) => None,
            Listed::Unreadable { id, what, .. } => Some(Self {
                job_id: id.to_string(),
                error_code: "store_corrupt",
                error_summary: what.clone(),
            }),
        }
    }
}

pub(crate) async fn list(context: &Context, args: ListArgs) -> Result<Exit, Fault> {
    let invalid = |error: koinon::domain::InvalidName| Fault::usage(error.to_string());
    let filter = JobFilter {
        project: args.project.map(ProjectId::try_new).transpose().map_err(invalid)?,
        kind: args.kind.map(Kind::try_new).transpose().map_err(invalid)?,
        state: args.state,
    };
    let koinon = Open::new(context).open().await?;
    let limit = args.limit.saturating_add(1);
    let mut jobs = koinon.jobs().jobs(koinon.tenant(), &filter, None, limit).await?;
    koinon.close().await;
    let kept = usize::try_from(args.limit).unwrap_or(usize::MAX);
    let more = jobs.len() > kept;
    jobs.truncate(kept);
    let readable = || jobs.iter().filter_map(Listed::readable);
    let view = JobsView {
        more,
        submitted: readable().map(|job| instant::short(job.spec.submitted_at)).collect(),
        jobs: readable().map(JobView::of).collect(),
        unreadable: jobs.iter().filter_map(UnreadableView::of).collect(),
    };
    context.console.show(&view, text)?;
    for job in &view.unreadable {
        let summary = format!("job {} cannot be read: {}", job.job_id, job.error_summary);
        let help = "docs/errors/store_corrupt.md says what to do with such a row";
        context.console.note(&summary, help);
    }
    Ok(Exit::Succeeded)
}

fn text(list: &JobsView) -> String {
    if list.jobs.is_empty() && list.unreadable.is_empty() {
        return "there are no jobs".to_owned();
    }
    let header =
        ["job", "kind", "project", "state", "progress", "calls", "spent", "submitted (UTC)"];
    let rows = list.jobs.iter().zip(&list.submitted).map(|(job, submitted)| {
        let progress = job.progress.as_ref();
        let progress = progress.map(|now| format!("{} {}/{}", now.stage, now.done, now.total));
        [
            job.job_id.clone(),
            job.kind.clone(),
            job.project.clone(),
            job.state.to_owned(),
            progress.unwrap_or_default(),
            job.calls.to_string(),
            view::usd(&job.spent_usd),
            submitted.clone(),
        ]
    });
    let mut text = view::table(header, rows);
    if list.more {
        text.push_str("there are older ones: --limit shows more\n");
    }
    text
}
