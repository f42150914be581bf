//! From the start of the process to its end.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;
use koinon::budget::Profile;
use koinon::domain::{ErrorCode, QueueName};
use koinon::runner::{Drained, Until};
use koinon::settings::Settings;
use koinon::{Builder, Koinon, Role};
use tokio::runtime;

use crate::args::Args;
use crate::logging;
use crate::refusal::Refusal;
use crate::signals::Signals;

/// Whatever is wrong at the start is told within two seconds; a database that is silent for longer than
/// this is not waited for.
const OPEN_FOR: Duration = Duration::from_millis(1_500);

/// What the hard deadline adds to the times of drain and flush.
const MARGIN: Duration = Duration::from_secs(2);

/// How the program ends, other than by a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// Everything was settled or handed back.
    Clean,
    /// The hard deadline, or a second signal, cut something.
    Cut,
}

/// Runs a worker until it is told to stop: reads the command line, the configuration and the environment,
/// works with what `workloads` adds, and drains at SIGTERM or SIGINT.
///
/// The exit code is 0 where everything was settled or handed back, 1 where something was cut, and 2 where
/// the program refused to start, with one line on standard error. It starts a runtime of its own, and is
/// to be the only thing in `main`.
pub fn run(workloads: impl FnOnce(Builder) -> Builder) -> ExitCode {
    let args = Args::parse();
    logging::start();
    match prepared(&args, workloads).and_then(work) {
        Ok(Ended::Clean) => ExitCode::SUCCESS,
        Ok(Ended::Cut) => ExitCode::FAILURE,
        Err(refusal) => {
            refusal.tell();
            ExitCode::from(2)
        }
    }
}

/// Everything that can be refused without opening anything.
fn prepared(args: &Args, workloads: impl FnOnce(Builder) -> Builder) -> Result<Builder, Refusal> {
    Role::Worker.check()?;
    let settings = Settings::load(&args.flags())?.settings;
    settings.check_worker()?;
    let builder = workloads(Koinon::builder(settings));
    Ok(match &args.prices {
        Some(file) => builder.prices(prices(file)?),
        None => builder,
    })
}

fn prices(file: &Path) -> Result<Profile, Refusal> {
    let usage = |says: &dyn std::fmt::Display| {
        Refusal::new(ErrorCode::USAGE, format!("the price profile {}: {says}", file.display()))
    };
    let text = std::fs::read_to_string(file).map_err(|error| usage(&error))?;
    Profile::from_toml(&text).map_err(|error| usage(&error))
}

fn work(builder: Builder) -> Result<Ended, Refusal> {
    let runtime = runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        Refusal::new(ErrorCode::PERMANENT, format!("the process cannot start threads: {error}"))
    })?;
    let ended = runtime.block_on(until_stopped(builder));
    // What still blocks a thread must not keep the process.
    runtime.shutdown_background();
    ended
}

async fn until_stopped(builder: Builder) -> Result<Ended, Refusal> {
    let mut signals = Signals::listen()?;
    let koinon = tokio::select! {
        koinon = opened(builder) => koinon?,
        () = signals.next() => return Ok(Ended::Clean),
    };
    let queues = queues(&koinon)?;
    let worker = koinon.worker(queues.clone());
    tracing::info!(worker = %worker.id(), "started");
    let dispatched = tokio::select! {
        dispatched = worker.dispatch(Until::Stopped) => dispatched,
        () = signals.next() => Ok(()),
    };
    tracing::info!("draining");
    let operations = &koinon.settings().operations;
    let deadline = operations.drain_for + operations.flush_for + MARGIN;
    let closing = async {
        let drained = worker.drain().await;
        koinon.close().await;
        drained
    };
    let ended = tokio::select! {
        closed = tokio::time::timeout(deadline, closing) => match closed {
            Ok(Drained::Clean) => Ended::Clean,
            Ok(Drained::Cut) | Err(_) => Ended::Cut,
        },
        () = signals.next() => Ended::Cut,
    };
    dispatched.map_err(koinon::Error::from)?;
    Ok(ended)
}

async fn opened(builder: Builder) -> Result<Koinon, Refusal> {
    match tokio::time::timeout(OPEN_FOR, builder.open()).await {
        Ok(opened) => Ok(opened?),
        Err(_) => {
            let says = "the database did not answer in time".to_owned();
            Err(Refusal::new(ErrorCode::STORE_UNAVAILABLE, says))
        }
    }
}

/// Each kind waits in a queue of its own name.
fn queues(koinon: &Koinon) -> Result<Vec<QueueName>, Refusal> {
    let names = koinon.workloads().kinds().map(QueueName::try_new);
    names
        .collect::<Result<_, _>>()
        .map_err(|error| Refusal::new(ErrorCode::USAGE, error.to_string()))
}
