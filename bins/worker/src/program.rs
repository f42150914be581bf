//! From the start of the process to its end.

use std::path::Path;
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser as _;
use koinon::budget::Profile;
use koinon::domain::ErrorCode;
use koinon::runner::{Drained, child};
use koinon::settings::Settings;
use koinon::{Builder, Koinon, Role, Workers};
use tokio::runtime::{self, Handle, Runtime};
use tokio::task::JoinSet;

use crate::args::Args;
use crate::listener::Listener;
use crate::refusal::Refusal;
use crate::signals::Signals;
use crate::{logging, systemd};

/// Whatever is wrong at the start is told within two seconds; a database that is silent for longer than
/// this is not waited for.
const OPEN_FOR: Duration = Duration::from_millis(1_500);

/// What the hard deadline adds to the times of drain and flush.
const MARGIN: Duration = Duration::from_secs(2);

/// Threads for everything but workloads.
const ENGINE_THREADS: usize = 2;

/// How the program ends, other than by a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Everything was settled or handed back.
    Clean,
    /// The hard deadline, or a second signal, cut something.
    Cut,
}

/// What happens to the program.
#[derive(Debug)]
pub enum Moment<'w> {
    /// Its workers have started.
    Started(&'w Workers),
    /// Its workers have ended.
    Ended(&'w Workers, Ended),
}

/// Runs a worker until it is told to stop: reads the command line, the configuration and the environment,
/// works with what `workloads` adds, and drains at SIGTERM or SIGINT.
///
/// The exit code is 0 where everything was settled or handed back, 1 where something was cut, and 2 where
/// the program refused to start, with one line on standard error. It starts a runtime of its own, and is
/// to be the only thing in `main`.
pub fn run(workloads: impl FnOnce(Builder) -> Builder) -> ExitCode {
    if let Some(exit) = child::guard() {
        return exit;
    }
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) if error.use_stderr() => return Refusal::from(error).exit(),
        // Help and version are what was asked for.
        Err(shown) => shown.exit(),
    };
    match prepared(&args, workloads) {
        Ok(builder) => work(builder, |_| {}),
        Err(refusal) => refusal.exit(),
    }
}

/// What the command line, the configuration and the environment ask for.
fn prepared(args: &Args, workloads: impl FnOnce(Builder) -> Builder) -> Result<Builder, Refusal> {
    logging::start()?;
    Role::Worker.check()?;
    let settings = Settings::load(&args.flags())?.settings;
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

/// Runs the workers that `builder` makes until SIGTERM or SIGINT, drains them, and returns what the process
/// is to exit with; `tell` hears of the moments in between. For programs that read their command line
/// themselves; [`run`] is the same with a command line.
pub fn work(builder: Builder, tell: impl FnMut(Moment<'_>)) -> ExitCode {
    match on_runtimes(builder, tell) {
        Ok(Ended::Clean) => ExitCode::SUCCESS,
        Ok(Ended::Cut) => ExitCode::FAILURE,
        Err(refusal) => refusal.exit(),
    }
}

/// The workers, their signals and their deadlines have threads that no workload can keep busy.
fn on_runtimes(builder: Builder, tell: impl FnMut(Moment<'_>)) -> Result<Ended, Refusal> {
    let engine = runtime("koinon-engine", Some(ENGINE_THREADS))?;
    let work = runtime("koinon-work", None)?;
    let ended = engine.block_on(until_stopped(builder, work.handle().clone(), tell));
    // What still blocks a thread must not keep the process.
    work.shutdown_background();
    engine.shutdown_background();
    ended
}

fn runtime(name: &str, threads: Option<usize>) -> Result<Runtime, Refusal> {
    let mut builder = runtime::Builder::new_multi_thread();
    builder.thread_name(name).enable_all();
    if let Some(threads) = threads {
        builder.worker_threads(threads);
    }
    builder.build().map_err(|error| {
        Refusal::new(ErrorCode::PERMANENT, format!("the process cannot start threads: {error}"))
    })
}

async fn until_stopped(
    builder: Builder,
    threads: Handle,
    mut tell: impl FnMut(Moment<'_>),
) -> Result<Ended, Refusal> {
    let mut signals = Signals::listen()?;
    let listener = match builder.settings().worker.listen {
        Some(address) => Some(Listener::bind(address).await?),
        None => None,
    };
    let workers = tokio::select! {
        workers = builder.workers(threads, OPEN_FOR) => Arc::new(workers?),
        () = signals.next() => return Ok(Ended::Clean),
    };
    // They end with this value, which is when the process ends.
    let mut beside = JoinSet::new();
    beside.spawn(systemd::watchdog());
    if let Some(listener) = listener {
        beside.spawn(listener.serve(Arc::clone(&workers)));
    }
    tracing::info!(worker = %workers.id(), "started");
    systemd::ready();
    tell(Moment::Started(&workers));
    let mut working = pin!(workers.work());
    tokio::select! {
        () = &mut working => {}
        () = signals.next() => {}
    }
    tracing::info!("draining");
    workers.stop();
    let operations = &workers.settings().operations;
    let deadline = operations.drain_for + operations.flush_for + MARGIN;
    systemd::stopping(deadline);
    let closing = async {
        let ((), drained) = tokio::join!(working, workers.drain());
        drained
    };
    let ended = tokio::select! {
        closed = tokio::time::timeout(deadline, closing) => match closed {
            Ok(Drained::Clean) => Ended::Clean,
            Ok(Drained::Cut) | Err(_) => Ended::Cut,
        },
        () = signals.next() => Ended::Cut,
    };
    match ended {
        Ended::Clean => tracing::info!("everything is settled or handed back"),
        Ended::Cut => tracing::error!("some work was cut; it is recovered when its leases expire"),
    }
    tell(Moment::Ended(&workers, ended));
    Ok(ended)
}
