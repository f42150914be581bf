//! Chaos, as `cargo xtask chaos` starts it: prints the seed first, what was seen, and last one JSON object.
//!
//! Exit codes: 0 when every promise was kept, 1 when one was broken, 3 when a worker ended without being told
//! to; 2 and 101 when there was no run.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use koinon_e2e::Store;
use koinon_e2e::chaos::{Keep, Plan, Verdict, run};
use tokio::signal::unix::{SignalKind, signal};

/// As a shell says it of Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Workers that are killed, stopped and cut off at random, and a checker of what they leave
#[derive(Debug, Parser)]
struct Args {
    /// Where the worker for tests is
    #[arg(long, value_name = "FILE")]
    program: PathBuf,
    /// What the workers share
    #[arg(long, value_enum, default_value = "sqlite")]
    store: Store,
    /// How many workers there are
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    workers: u16,
    /// How long they are treated badly
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    /// How many jobs there are at least
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(20..=1_000_000))]
    jobs: u32,
    /// What drives which process gets what
    #[arg(long)]
    seed: u64,
    /// Keep the folder of the run also when nothing went wrong
    #[arg(long)]
    keep: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    let mut plan = Plan::new(args.program, args.store, args.seed);
    plan.workers = args.workers.into();
    plan.lasts = Duration::from_secs(args.seconds);
    plan.jobs = args.jobs as usize;
    plan.keep = if args.keep { Keep::Always } else { Keep::Failed };
    say(format_args!("seed {}", plan.seed));
    let report = tokio::select! {
        report = run(&plan) => report,
        // What is dropped kills its workers.
        () = told_to_stop() => return ExitCode::from(INTERRUPTED),
    };
    say(format_args!("{report}{}", report.json()));
    match report.verdict() {
        Verdict::Kept => ExitCode::SUCCESS,
        Verdict::Broken => ExitCode::FAILURE,
        Verdict::Surprised => ExitCode::from(3),
    }
}

async fn told_to_stop() {
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}

fn say(what: std::fmt::Arguments<'_>) {
    // A closed pipe has nobody who reads; the exit code still says it.
    writeln!(std::io::stdout(), "{what}").ok();
}
