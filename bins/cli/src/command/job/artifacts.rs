//! `koinon job artifacts`: the files that a job put out.

use std::path::PathBuf;

use koinon::domain::{ErrorCode, State};
use serde::Serialize;

use crate::args;
use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::job_ref::JobRef;
use crate::open::Open;
use crate::output;
use crate::view::{self, OutputView};

/// Options of `job artifacts`.
#[derive(Debug, clap::Args)]
pub(crate) struct ArtifactsArgs {
    /// The job: its id, or at least 8 characters of its beginning
    #[arg(value_name = "JOB", value_parser = args::job)]
    job: JobRef,
    /// Write the files to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct ArtifactsView {
    job_id: String,
    output: OutputView,
}

pub(crate) async fn artifacts(context: &Context, args: ArtifactsArgs) -> Result<Exit, Fault> {
    if let Some(out) = &args.out {
        output::check(out)?;
    }
    let koinon = Open::new(context).open().await?;
    let job = args.job.find(&koinon).await?;
    let Some(manifest) = &job.run.manifest else {
        return Err(no_output(job.run.state));
    };
    if let Some(out) = &args.out {
        output::write(&koinon, manifest, out).await?;
    }
    koinon.close().await;
    let output = OutputView::of(manifest, args.out.as_deref());
    context.console.show(&ArtifactsView { job_id: job.spec.id.to_string(), output }, |view| {
        let files = view.output.files.iter();
        let rows =
            files.map(|file| [file.name.clone(), file.size_bytes.to_string(), file.sha256.clone()]);
        view::table(["name", "bytes", "sha256"], rows)
    })?;
    Ok(Exit::Succeeded)
}

fn no_output(state: State) -> Fault {
    let summary = format!("a job that is {state} has no output");
    Fault::new(ErrorCode::NOT_FOUND, summary).help("a job has output once it has succeeded")
}
