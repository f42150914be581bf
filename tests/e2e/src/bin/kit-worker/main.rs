//! A worker for tests: the engine as any program embeds it, with workloads that a test needs and a user
//! does not.
//!
//! It takes its settings as every program does, from `koinon.toml` and the environment. Its log goes to
//! standard error, one JSON object a line. Exit codes: 0 when everything was settled or handed back, 1 when
//! something was cut off or failed.

mod args;
mod engine;
mod logging;
mod signals;
mod verb;
mod workloads;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;
use tokio::runtime::Builder;

use crate::args::{Args, Verb};

fn main() -> ExitCode {
    let args = Args::parse();
    logging::start();
    run(&args).unwrap_or_else(|error| {
        // Nothing is left to be done when standard error is closed as well.
        writeln!(std::io::stderr(), "kit-worker: {error:#}").ok();
        ExitCode::FAILURE
    })
}

fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let ended = runtime.block_on(async {
        match &args.verb {
            Verb::Work => verb::work(args).await,
            Verb::Submit { file } => verb::submit(args, file).await,
            Verb::Migrate => verb::migrate().await,
        }
    });
    // What still blocks must not keep the process.
    runtime.shutdown_background();
    ended
}
