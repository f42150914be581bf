//! A worker for tests: the engine as any program embeds it, with workloads that a test needs and a user
//! does not.
//!
//! It takes its settings as every program does, from `koinon.toml` and the environment. Its log goes to
//! standard error, one JSON object a line. Exit codes: 0 when everything was settled or handed back, 1 when
//! something was cut off or failed, 2 when it refuses to work.

mod args;
mod engine;
mod logging;
mod verb;
mod workloads;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;
use futures::FutureExt as _;
use tokio::runtime::Builder;

use crate::args::{Args, Verb};

fn main() -> ExitCode {
    if let Some(exit) = koinon::runner::child::guard() {
        return exit;
    }
    let args = Args::parse();
    run(&args).unwrap_or_else(|error| {
        // Nothing is left to be done when standard error is closed as well.
        writeln!(std::io::stderr(), "kit-worker: {error:#}").ok();
        ExitCode::FAILURE
    })
}

fn run(args: &Args) -> anyhow::Result<ExitCode> {
    logging::start()?;
    let verb = match &args.verb {
        Verb::Work => return verb::work(args),
        Verb::Submit { file } => verb::submit(args, file).boxed(),
        Verb::Migrate => verb::migrate().boxed(),
    };
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(verb)
}
