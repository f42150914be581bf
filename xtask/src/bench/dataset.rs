//! `cargo xtask bench dataset`: what the engine costs beside the model.

use std::io;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use super::floors::DATASET;
use super::{Programs, Row, median_of_three, write_json, write_table};
use crate::{process, workspace};

/// How many items the job has whose memory is measured.
const RSS_ITEMS: &str = "2000";

/// What `koinon-bench dataset` prints; times in microseconds.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Measured {
    two_commits_p50: f64,
    overhead_p50: f64,
    overhead_p99: f64,
    items_per_s_1: f64,
    items_per_s_4: f64,
    items_per_s_16: f64,
}

/// Measures, prints the rows, and succeeds whether the floors hold or not.
///
/// # Errors
///
/// When something could not be measured.
pub fn run(json: bool) -> anyhow::Result<ExitCode> {
    let root = workspace::root()?;
    let programs = Programs::build(&root, &["koinon-bench", "koinon-cli"])?;
    let folder = root.join("target").join("bench");
    let rows = measure(&programs, &folder)?;
    std::fs::remove_dir_all(&folder).ok();
    let mut output = io::stdout().lock();
    let write = if json { write_json } else { write_table };
    write(&rows, &mut output)?;
    Ok(ExitCode::SUCCESS)
}

fn measure(programs: &Programs, folder: &Path) -> anyhow::Result<Vec<Row>> {
    let mut rounds = Vec::new();
    for _ in 0..3 {
        rounds.push(round(programs, folder)?);
    }
    let middle = |of: fn(&Measured) -> f64| {
        let mut values = rounds.iter().map(of);
        let median = median_of_three(|| values.next().context("three rounds"))?;
        anyhow::Ok(median.value)
    };
    let commits = middle(|round| round.two_commits_p50)? / 1e3;
    let one = middle(|round| round.items_per_s_1)?;
    let [overhead_p50, overhead_p99, items_1, items_4, items_16, rss, startup] = &DATASET;
    Ok(vec![
        Row::compared(overhead_p50, middle(|round| round.overhead_p50)? / 1e3, commits),
        Row::compared(overhead_p99, middle(|round| round.overhead_p99)? / 1e3, commits),
        Row::plain(items_1, one),
        Row::compared(items_4, middle(|round| round.items_per_s_4)?, one),
        Row::compared(items_16, middle(|round| round.items_per_s_16)?, one),
        Row::plain(rss, peak_rss(programs, folder)?),
        Row::plain(startup, startup_ms(programs, folder)?),
    ])
}

fn round(programs: &Programs, folder: &Path) -> anyhow::Result<Measured> {
    let output = Command::new(&programs.bench).arg("dataset").arg(folder).output()?;
    ensure!(
        output.status.success(),
        "the measuring program failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The most memory that a job with so many items had resident, in megabytes.
fn peak_rss(programs: &Programs, folder: &Path) -> anyhow::Result<f64> {
    let here = folder.join("rss");
    let mut corpus = Command::new(&programs.bench);
    corpus.arg("corpus").arg(&here).args(["--items", RSS_ITEMS]);
    ensure!(process::status(&mut corpus)?.success(), "the documents could not be written");
    let mut job = koinon(programs, &here);
    job.args(["run", "dataset", "documents", "--set"]).arg(format!("target={RSS_ITEMS}"));
    let mut child = job.spawn().context("cannot start koinon")?;
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak_kib = 0;
    // Ends when the process does: a process that has ended has no `VmHWM`.
    while child.try_wait()?.is_none() {
        let status = std::fs::read_to_string(&status_file).unwrap_or_default();
        peak_kib = peak_kib.max(high_water_kib(&status).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(10));
    }
    ensure!(child.wait()?.success(), "the job whose memory is measured failed");
    ensure!(peak_kib > 0, "this system does not tell the memory of a process below /proc");
    Ok(f64::from(peak_kib) * 1_024.0 / 1e6)
}

fn high_water_kib(status: &str) -> Option<u32> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// How long a command takes that only reads, on a database that is there already, in milliseconds.
fn startup_ms(programs: &Programs, folder: &Path) -> anyhow::Result<f64> {
    let here = folder.join("rss");
    let once = || {
        let began = now();
        let mut list = koinon(programs, &here);
        ensure!(process::status(list.args(["job", "list"]))?.success(), "`job list` failed");
        Ok(began.elapsed().as_secs_f64() * 1e3)
    };
    once()?;
    Ok(median_of_three(once)?.value)
}

fn koinon(programs: &Programs, here: &Path) -> Command {
    let mut command = Command::new(&programs.koinon);
    command.current_dir(here).stdin(Stdio::null()).stdout(Stdio::null());
    command
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures the time that really passes")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::high_water_kib;

    #[test]
    fn the_high_water_mark_is_read_in_kib() {
        let status = "Name:\tkoinon\nVmHWM:\t   51234 kB\nVmRSS:\t 40000 kB\n";
        assert_eq!(high_water_kib(status), Some(51_234));
        assert_eq!(high_water_kib("Name:\tkoinon\n"), None);
    }
}
