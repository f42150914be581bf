//! `koinon-bench FOLDER`: what `cargo xtask bench dataset` measures from inside a process.
//!
//! Prints one JSON object. Everything is written below FOLDER, so that its disk is the one measured.

mod bare;
mod corpus;
mod instant;
mod job;

use std::io::Write as _;
use std::path::PathBuf;

use clap::Parser;
use serde::Serialize;

/// Measures a dataset job with a provider that answers at once, and bare durable commits beside it.
#[derive(Debug, Parser)]
struct Arguments {
    /// Where everything is written.
    folder: PathBuf,
    /// How many items each job has.
    #[arg(long, default_value_t = 400)]
    items: usize,
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

#[tokio::main(worker_threads = 2)]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    std::fs::create_dir_all(&arguments.folder)?;
    let folder = tempfile::tempdir_in(&arguments.folder)?;
    let corpus = corpus::write(folder.path(), arguments.items)?;
    let job = async |concurrency| job::run(folder.path(), &corpus, concurrency).await;

    // The floor before and after its subject, so that a disk that changes its mind shows in both.
    let mut commits = bare::pairs(folder.path(), 100).await?;
    let one = job(1).await?;
    commits.extend(bare::pairs(folder.path(), 100).await?);
    let four = job(4).await?;
    let sixteen = job(16).await?;
    let measured = Measured {
        two_commits_p50: percentile(&mut commits, 50),
        overhead_p50: percentile(&mut one.between_calls(), 50),
        overhead_p99: percentile(&mut one.between_calls(), 99),
        items_per_s_1: one.items_per_s(),
        items_per_s_4: four.items_per_s(),
        items_per_s_16: sixteen.items_per_s(),
    };
    writeln!(std::io::stdout(), "{}", serde_json::to_string(&measured)?)?;
    Ok(())
}

/// The value that so many percent of the values are at most; 0 where there is none.
fn percentile(micros: &mut [f64], percent: usize) -> f64 {
    micros.sort_by(f64::total_cmp);
    let at = (micros.len() * percent).div_ceil(100).saturating_sub(1);
    micros.get(at).copied().unwrap_or_default()
}
