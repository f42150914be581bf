//! What `cargo xtask bench` measures from inside a process.
//!
//! Everything of a dataset is written below the folder that is given, so that its disk is the one measured.

mod bare;
mod corpus;
mod engine;
mod instant;
mod job;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Parser;
use serde::Serialize;

use engine::Suite;

/// The parts of the benchmarks that run inside of a process.
#[derive(Debug, Parser)]
enum Verb {
    /// Measures dataset jobs with a provider that answers at once, and bare durable commits beside
    /// them; prints one JSON object
    Dataset {
        /// Where everything is written
        folder: PathBuf,
        /// How many items each job has at least
        #[arg(long, default_value_t = 400)]
        items: usize,
    },
    /// Writes documents for a dataset job
    Corpus {
        /// Where they are written
        folder: PathBuf,
        /// How many items the job has at least
        #[arg(long, default_value_t = 2_000)]
        items: usize,
    },
    /// Measures the engine beside bare statements; prints one JSON object for each row
    Engine(engine::Engine),
    /// Measures the time from a submission to a start; prints one JSON object for each row
    Latency(engine::Engine),
    /// Measures looks at the backlog while workers claim; prints one JSON object for each row
    Backlog(engine::Engine),
    /// Measures what workers cost that have nothing to do; prints one JSON object for each row
    Idle(engine::Idle),
}

/// What one run measured. Times are in microseconds.
#[derive(Debug, Serialize)]
struct Measured {
    /// Two bare durable commits, one after the other.
    two_commits_p50: f64,
    /// The engine's time for an item, the provider's left aside.
    overhead_p50: f64,
    overhead_p99: f64,
    /// Items in a second, with so many at once.
    items_per_s_1: f64,
    items_per_s_4: f64,
    items_per_s_16: f64,
}

fn main() -> anyhow::Result<()> {
    let verb = Verb::parse();
    if !matches!(verb, Verb::Dataset { .. } | Verb::Corpus { .. }) {
        // Before there is a second thread.
        engine::keep_to_two()?;
    }
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(2).enable_all().build()?.block_on(run(verb))
}

async fn run(verb: Verb) -> anyhow::Result<()> {
    match verb {
        Verb::Dataset { folder, items } => {
            std::fs::create_dir_all(&folder)?;
            let measured = dataset(tempfile::tempdir_in(&folder)?.path(), items).await?;
            writeln!(std::io::stdout(), "{}", serde_json::to_string(&measured)?)?;
        }
        Verb::Corpus { folder, items } => {
            corpus::write(&folder, items)?;
        }
        Verb::Engine(engine) => engine::run(Suite::Engine, &engine).await?,
        Verb::Latency(engine) => engine::run(Suite::Latency, &engine).await?,
        Verb::Backlog(engine) => engine::run(Suite::Backlog, &engine).await?,
        Verb::Idle(idle) => engine::run_idle(&idle).await?,
    }
    Ok(())
}

async fn dataset(folder: &Path, items: usize) -> anyhow::Result<Measured> {
    let documents = corpus::write(folder, items)?;
    let job = async |concurrency| job::run(folder, &documents, concurrency).await;
    // The floor before and after its subject, so that a disk that changes its mind shows in both.
    let mut commits = bare::pairs(folder, 100).await?;
    let one = job(1).await?;
    commits.extend(bare::pairs(folder, 100).await?);
    let four = job(4).await?;
    let sixteen = job(16).await?;
    Ok(Measured {
        two_commits_p50: percentile(&mut commits, 50),
        overhead_p50: percentile(&mut one.between_calls(), 50),
        overhead_p99: percentile(&mut one.between_calls(), 99),
        items_per_s_1: one.items_per_s(),
        items_per_s_4: four.items_per_s(),
        items_per_s_16: sixteen.items_per_s(),
    })
}

/// The value that so many percent of the values are at most; 0 where there is none.
pub(crate) fn percentile(micros: &mut [f64], percent: usize) -> f64 {
    micros.sort_by(f64::total_cmp);
    let at = (micros.len() * percent).div_ceil(100).saturating_sub(1);
    micros.get(at).copied().unwrap_or_default()
}
