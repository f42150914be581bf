//! What workers cost that have nothing to do: real processes on one database, whose server logs every statement.

mod log;
mod process;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::Args;
use koinon::store::{Clock as _, SystemClock};
use koinon::{Koinon, Settings};
use koinon_cluster::{Cluster, Setup};

use super::report::{Report, Round};
use super::size::Size;
use log::Statements;
use process::{Usage, Worker};

/// The rows: statements of a worker in a second, its resident memory, and its share of one processor.
const ROWS: [&str; 3] = ["idle_statements", "idle_rss", "idle_cpu"];

/// The database that all of them work on.
const DATABASE: &str = "idle";

/// What is measured, and with which program.
#[derive(Debug, Args)]
pub(crate) struct Idle {
    /// The program koinon-worker
    #[arg(long, value_name = "FILE")]
    worker: PathBuf,
    /// Only these rows
    #[arg(long, value_name = "ROW")]
    only: Vec<String>,
    /// How much is measured
    #[arg(long, value_enum, default_value_t = Size::Full)]
    size: Size,
}

/// Measures the rows, and prints each as one JSON object.
pub(crate) async fn run(idle: &Idle) -> anyhow::Result<()> {
    let measured = tokio::select! {
        measured = measure(idle) => measured,
        () = super::stop::asked() => Err(anyhow::anyhow!("it was told to stop")),
    };
    let wanted = |row: &str| idle.only.is_empty() || idle.only.iter().any(|only| only == row);
    let measured = measured.map(|mut reports| {
        reports.retain(|report| wanted(report.row()));
        reports
    });
    super::tell_all(measured, ROWS.into_iter().filter(|row| wanted(row)))
}

async fn measure(idle: &Idle) -> anyhow::Result<Vec<Report>> {
    let program = idle.worker.canonicalize();
    let program = program.with_context(|| format!("there is no {}", idle.worker.display()))?;
    let cluster = cluster()?;
    migrate(&cluster).await?;
    let folder = tempfile::tempdir()?;
    let (count, settle, time) = idle.size.idle();
    let names: Vec<String> = (0..count).map(|number| format!("worker_{number}")).collect();
    let mut workers = Vec::new();
    for name in &names {
        // Whose a statement is, the log tells by the user.
        cluster.run("postgres", &format!("CREATE ROLE {name} LOGIN SUPERUSER"))?;
        let url = cluster.url(DATABASE).replace("//koinon@", &format!("//{name}@"));
        workers.push(Worker::start(&program, &url, folder.path(), name)?);
    }
    tokio::time::sleep(settle).await;

    let clock = SystemClock::new();
    let (from, began) = (cluster.log()?.len(), clock.monotonic());
    let before = usages(&mut workers)?;
    tokio::time::sleep(time).await;
    let after = usages(&mut workers)?;
    let (log, took) = (cluster.log()?, clock.monotonic() - began);
    drop(workers);

    let statements = Statements::read(log.get(from..).unwrap_or_default());
    Ok(reports(&names, &statements, &before, &after, took)?.into())
}

/// A server of one's own that logs every statement and whose it is, and an empty database.
fn cluster() -> anyhow::Result<Cluster> {
    let cluster = Cluster::start_as(Setup::measured())?;
    let prefix = format!("ALTER SYSTEM SET log_line_prefix = '{}'", log::PREFIX);
    for statement in [
        "ALTER SYSTEM SET log_statement = 'all'",
        &prefix,
        "SELECT pg_reload_conf()",
        &format!("CREATE DATABASE {DATABASE}"),
    ] {
        cluster.run("postgres", statement)?;
    }
    Ok(cluster)
}

/// Brings the database to the schema of this program.
async fn migrate(cluster: &Cluster) -> anyhow::Result<()> {
    let mut settings = Settings::default();
    settings.database.url = cluster.url(DATABASE);
    Koinon::migrate(&settings).await?;
    Ok(())
}

fn usages(workers: &mut [Worker]) -> anyhow::Result<Vec<Usage>> {
    workers.iter_mut().map(Worker::usage).collect()
}

/// Of each row the worker that costs most.
fn reports(
    names: &[String],
    statements: &Statements,
    before: &[Usage],
    after: &[Usage],
    took: Duration,
) -> anyhow::Result<[Report; 3]> {
    let of_each: Vec<f64> = names.iter().map(|name| statements.per_s(name, took)).collect();
    for (name, per_s) in names.iter().zip(&of_each) {
        ensure!(*per_s > 0.0, "{name} has not asked the database for anything");
    }
    let rss: Vec<f64> = after.iter().map(|usage| usage.rss_mb).collect();
    let cpu: Vec<f64> = before
        .iter()
        .zip(after)
        .map(|(before, after)| 100.0 * (after.cpu_s - before.cpu_s) / took.as_secs_f64())
        .collect();
    let seconds = took.as_secs_f64();
    let mut says = vec![
        format!("{} workers were idle for {seconds:.0} s; each row is of the worst", names.len()),
        each("statements/s", &of_each),
    ];
    says.extend(statements.told(names, took));
    let report = |row, values: &[f64]| {
        let value = values.iter().copied().fold(0.0, f64::max);
        Report::of(row, vec![Round { value, base: None }], None)
    };
    let [of_statements, of_rss, of_cpu] = ROWS;
    Ok([
        report(of_statements, &of_each).saying(says),
        report(of_rss, &rss).saying(vec![each("MB resident", &rss)]),
        report(of_cpu, &cpu).saying(vec![each("% of a processor", &cpu)]),
    ])
}

/// The values of all workers.
fn each(unit: &str, values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("{value:.2}")).collect();
    format!("{unit} of each worker: {}", values.join(" "))
}
