//! `cargo xtask bench engine`, `latency`, `backlog` and `idle`: what `koinon-bench` measures row by row, on Postgres.

use std::io::{self, BufRead as _, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::floors::{BACKLOG, ENGINE, IDLE, LATENCY, Measure};
use super::per_job::{Costs, write_costs};
use super::{Programs, Row, write_table};
use crate::workspace;

/// Rows that are measured in one go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suite {
    /// The engine beside bare statements.
    Engine,
    /// From a submission to a start.
    Latency,
    /// Looks at the backlog.
    Backlog,
    /// Workers that have nothing to do.
    Idle,
}

impl Suite {
    const fn name(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::Latency => "latency",
            Self::Backlog => "backlog",
            Self::Idle => "idle",
        }
    }

    const fn table(self) -> &'static [Measure] {
        match self {
            Self::Engine => &ENGINE,
            Self::Latency => &LATENCY,
            Self::Backlog => &BACKLOG,
            Self::Idle => &IDLE,
        }
    }

    /// The packages whose programs are needed.
    const fn packages(self) -> &'static [&'static str] {
        match self {
            Self::Engine | Self::Latency | Self::Backlog => &["koinon-bench"],
            Self::Idle => &["koinon-bench", "koinon-worker"],
        }
    }
}

/// What is measured, where, and how it is told.
#[derive(Debug, Args)]
pub struct Options {
    /// A Postgres that may be loaded; scratch databases are made in it and dropped again. Without it, a private
    /// one is started
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    #[command(flatten)]
    telling: Telling,
}

/// What is measured, and how it is told.
#[derive(Debug, Args)]
pub struct Telling {
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
    /// Only these rows
    #[arg(long, value_name = "ROW", num_args = 1.., value_delimiter = ',')]
    only: Vec<String>,
    /// One short round, whose floors are not judged
    #[arg(long)]
    quick: bool,
}

impl Options {
    /// Of a suite that has a server of its own in any case, because it reads that server's log.
    #[must_use]
    pub const fn on_its_own(telling: Telling) -> Self {
        Self { database: None, telling }
    }
}

/// What `koinon-bench engine` prints about a row.
#[derive(Debug, Clone, Deserialize)]
struct Report {
    bench: String,
    rounds: Vec<Round>,
    per_job: Option<Costs>,
    #[serde(default)]
    says: Vec<String>,
    missing: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct Round {
    value: f64,
    base: Option<f64>,
}

impl Round {
    /// What the floor is about: the ratio, or the value of a row that is compared with nothing.
    fn figure(&self) -> f64 {
        self.base.map_or(self.value, |base| self.value / base)
    }
}

/// A row, and what was learnt beside it.
#[derive(Debug, Serialize)]
struct Line {
    #[serde(flatten)]
    row: Row,
    /// The ratios of all rounds, the smallest first; the values where there is nothing to compare with.
    rounds: Vec<f64>,
    per_job: Option<Costs>,
    /// What else was seen.
    says: Vec<String>,
}

/// A row that could not be measured.
#[derive(Debug, Serialize)]
struct Missing {
    bench: &'static str,
    missing: String,
}

/// Measures and prints the rows. Fails if a floor is missed or a row is missing.
///
/// # Errors
///
/// When nothing could be measured.
pub fn run(suite: Suite, options: &Options) -> anyhow::Result<ExitCode> {
    let telling = &options.telling;
    let wanted = wanted(suite.table(), &telling.only)?;
    let programs = Programs::build(&workspace::root()?, suite.packages())?;
    let mut output = io::stdout();
    let begun = load();
    let reports = measure(&programs, suite, options)?;
    let (mut lines, mut missing) = (Vec::new(), Vec::new());
    for measure in wanted {
        match line(measure, &reports) {
            Ok(line) => lines.push(line),
            Err(why) => missing.push(Missing { bench: measure.bench, missing: why }),
        }
    }
    let holds = missing.is_empty() && (telling.quick || lines.iter().all(|line| line.row.holds()));
    if telling.json {
        for line in &lines {
            writeln!(output, "{}", serde_json::to_string(line)?)?;
        }
        for row in &missing {
            writeln!(output, "{}", serde_json::to_string(row)?)?;
        }
    } else {
        tell(lines, &missing, telling.quick, &mut output)?;
        writeln!(output, "\nload of the machine: {begun} at the beginning, {} at the end", load())?;
    }
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The rows that are asked for; all of them unless some are named.
fn wanted(table: &'static [Measure], only: &[String]) -> anyhow::Result<Vec<&'static Measure>> {
    let known = || table.iter().map(|measure| measure.bench);
    if let Some(unknown) = only.iter().find(|name| !known().any(|row| row == *name)) {
        let rows: Vec<&str> = known().collect();
        bail!("there is no row {unknown}; there are {}", rows.join(", "));
    }
    let is_wanted = |measure: &&Measure| only.is_empty() || only.iter().any(|n| n == measure.bench);
    Ok(table.iter().filter(is_wanted).collect())
}

/// Runs the measuring program to its end.
fn measure(programs: &Programs, suite: Suite, options: &Options) -> anyhow::Result<Vec<Report>> {
    let telling = &options.telling;
    let mut command = Command::new(&programs.bench);
    command.arg(suite.name()).args(telling.only.iter().flat_map(|row| ["--only", row]));
    command.args(telling.quick.then_some("--size=quick"));
    if suite == Suite::Idle {
        command.arg("--worker").arg(&programs.worker);
    }
    if let Some(url) = &options.database {
        command.arg("--database").arg(url);
    }
    let mut child = command.stdout(Stdio::piped()).spawn().context("cannot start koinon-bench")?;
    let mut reports = Vec::new();
    for line in child.stdout.take().map(BufReader::new).into_iter().flat_map(BufReader::lines) {
        let report: Report = serde_json::from_str(&line?)?;
        writeln!(io::stderr(), "measured: {}", report.bench)?;
        reports.push(report);
    }
    let status = child.wait()?;
    ensure!(status.success() || !reports.is_empty(), "the measuring program failed");
    Ok(reports)
}

/// The row of a measure: the round with the middle ratio.
fn line(measure: &Measure, reports: &[Report]) -> Result<Line, String> {
    let report = reports.iter().find(|report| report.bench == measure.bench);
    let report = report.ok_or_else(|| "the measuring program did not come to it".to_owned())?;
    if let Some(why) = &report.missing {
        return Err(why.clone());
    }
    let mut rounds = report.rounds.clone();
    rounds.sort_by(|one, other| one.figure().total_cmp(&other.figure()));
    let middle = rounds.get(rounds.len() / 2).ok_or_else(|| "it has no round".to_owned())?;
    Ok(Line {
        row: match middle.base {
            Some(base) => Row::compared(measure, middle.value, base),
            None => Row::plain(measure, middle.value),
        },
        rounds: rounds.iter().map(Round::figure).collect(),
        per_job: report.per_job,
        says: report.says.clone(),
    })
}

fn tell(
    lines: Vec<Line>,
    missing: &[Missing],
    quick: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    writeln!(output)?;
    let costs: Vec<(&str, Costs)> =
        lines.iter().filter_map(|line| Some((line.row.bench(), line.per_job?))).collect();
    let spreads: Vec<String> = lines.iter().map(spread).collect();
    let says: Vec<String> = lines.iter().flat_map(|line| line.says.clone()).collect();
    let rows: Vec<Row> = lines.into_iter().map(|line| line.row).collect();
    write_table(&rows, output)?;
    writeln!(output, "\nall rounds: {}\n", spreads.join("; "))?;
    if !costs.is_empty() {
        write_costs(&costs, output)?;
    }
    for sentence in says {
        writeln!(output, "{sentence}")?;
    }
    for row in missing {
        writeln!(output, "\nmissing: {}: {}", row.bench, row.missing)?;
    }
    if quick {
        writeln!(output, "\none short round: the floors are not judged")?;
    }
    Ok(())
}

fn spread(line: &Line) -> String {
    let rounds: Vec<String> = line.rounds.iter().map(|figure| format!("{figure:.2}")).collect();
    format!("{} {}", line.row.bench(), rounds.join(" "))
}

/// How many processes wanted a processor in the last minute, or a word that says it is unknown.
fn load() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").ok();
    let minute = load.and_then(|load| load.split(' ').next().map(str::to_owned));
    minute.unwrap_or_else(|| "unknown".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{BACKLOG, ENGINE, LATENCY, Report, line, wanted};

    fn reports(json: &str) -> Vec<Report> {
        vec![serde_json::from_str(json).expect("a report")]
    }

    #[test]
    fn the_round_with_the_middle_ratio_is_believed() {
        let reports = reports(
            r#"{"bench":"submit_one","rounds":[{"value":10.0,"base":5.0},{"value":3.0,"base":6.0},
               {"value":4.0,"base":4.0}]}"#,
        );
        let line = line(&ENGINE[0], &reports).expect("a row");
        assert_eq!(line.rounds, [0.5, 1.0, 2.0]);
        assert!(line.row.holds());
    }

    #[test]
    fn a_row_that_was_not_measured_says_why() {
        let failed = r#"{"bench":"submit_one","rounds":[],"missing":"no rights"}"#;
        assert_eq!(line(&ENGINE[0], &reports(failed)).err(), Some("no rights".to_owned()));
        assert!(line(&ENGINE[1], &reports(failed)).is_err(), "it was not told at all");
    }

    #[test]
    fn what_was_seen_beside_the_rounds_is_told() {
        let reports = reports(
            r#"{"bench":"backlog_p95","rounds":[{"value":60.0},{"value":9.0},{"value":8.0}],
               "says":["ready 3"]}"#,
        );
        let line = line(&BACKLOG[1], &reports).expect("a row");
        assert_eq!((line.rounds, line.says), (vec![8.0, 9.0, 60.0], vec!["ready 3".to_owned()]));
        assert!(line.row.holds());
    }

    #[test]
    fn a_row_that_nobody_knows_is_refused() {
        assert_eq!(wanted(&ENGINE, &[]).expect("all").len(), ENGINE.len());
        assert_eq!(wanted(&ENGINE, &["noop".to_owned()]).expect("one").len(), 1);
        let error = wanted(&LATENCY, &["noop".to_owned()]).expect_err("no such row").to_string();
        assert!(error.contains("no row noop") && error.contains("start_p50"), "{error}");
    }
}
