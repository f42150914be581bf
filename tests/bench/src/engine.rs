//! The engine beside bare statements: floor and subject in turn, in the same minute and on the same disk.

mod backlog;
mod claim;
mod cores;
mod cost;
mod floor;
mod idle;
mod latency;
mod pair;
mod pgbench;
mod report;
mod rows;
mod server;
mod size;
mod sqlite;
mod stop;
mod subject;
mod submit;
mod workloads;

use std::io::Write as _;

use clap::Args;

pub(crate) use cores::keep_to_two;
pub(crate) use idle::{Idle, run as run_idle};
use pair::Pair;
use report::Report;
use server::Server;
use size::Size;

/// What is measured, and where.
#[derive(Debug, Args)]
pub(crate) struct Engine {
    /// A Postgres that may be loaded; scratch databases are made in it and dropped again. Without it, a private
    /// one is started
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Only these rows
    #[arg(long, value_name = "ROW")]
    only: Vec<String>,
    /// How much is measured
    #[arg(long, value_enum, default_value_t = Size::Full)]
    size: Size,
}

/// What is measured in one go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Suite {
    /// The engine beside bare statements.
    Engine,
    /// From a submission to a start.
    Latency,
    /// Looks at the backlog.
    Backlog,
}

/// Measures row after row, and prints each as one JSON object when it is there.
pub(crate) async fn run(suite: Suite, engine: &Engine) -> anyhow::Result<()> {
    let server = Server::open(engine.database.as_deref(), engine.size).await?;
    let rows = async {
        match suite {
            Suite::Engine => rows(&server, engine).await,
            Suite::Latency => {
                let measured = latency::measure(&server, engine.size, |row| engine.wants(row));
                tell_all(measured.await, latency::ROWS.into_iter().filter(|row| engine.wants(row)))
            }
            Suite::Backlog => {
                let measured = backlog::measure(&server, engine.size, |row| engine.wants(row));
                tell_all(measured.await, backlog::ROWS.into_iter().filter(|row| engine.wants(row)))
            }
        }
    };
    let measured = tokio::select! {
        measured = rows => measured,
        () = stop::asked() => Err(anyhow::anyhow!("it was told to stop")),
    };
    server.drop_all().await;
    measured
}

async fn rows(server: &Server, engine: &Engine) -> anyhow::Result<()> {
    let wanted = |row: &str| engine.wants(row);
    for pair in Pair::ALL.iter().filter(|pair| wanted(pair.row)) {
        match pair.measure(server, engine.size).await {
            Ok(report) => tell(&report)?,
            Err(error) => tell(&Report::missing(pair.row, &error))?,
        }
    }
    let claims: Vec<&'static str> = claim::ROWS.into_iter().filter(|row| wanted(row)).collect();
    if !claims.is_empty() {
        let measured = claim::measure(server, engine.size, wanted).await;
        server.drop_all().await;
        tell_all(measured, claims.into_iter())?;
    }
    if wanted(sqlite::ROW) {
        match sqlite::measure(engine.size).await {
            Ok(report) => tell(&report)?,
            Err(error) => tell(&Report::missing(sqlite::ROW, &error))?,
        }
    }
    Ok(())
}

impl Engine {
    fn wants(&self, row: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == row)
    }
}

/// Tells rows that are measured together, or of each why it is not there.
fn tell_all(
    measured: anyhow::Result<Vec<Report>>,
    mut rows: impl Iterator<Item = &'static str>,
) -> anyhow::Result<()> {
    match measured {
        Ok(reports) => reports.iter().try_for_each(tell),
        Err(error) => rows.try_for_each(|row| tell(&Report::missing(row, &error))),
    }
}

fn tell(report: &Report) -> anyhow::Result<()> {
    let mut output = std::io::stdout().lock();
    serde_json::to_writer(&mut output, report)?;
    writeln!(output)?;
    Ok(output.flush()?)
}

/// Tells a person something; the rows alone are on the standard output.
fn warn(says: &str) {
    // Nobody may be listening, which harms nothing.
    let _unheard = writeln!(std::io::stderr(), "koinon-bench: {says}");
}
