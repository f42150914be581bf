//! The rows of the tables, as the checker needs them. The field names are those of the columns.

mod columns;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(super) use columns::Dialect;
use columns::{Column, select};

/// What is counted on the ledger, in the order of the columns.
pub(super) const AXES: [&str; 4] = ["cost_nano_usd", "calls", "input_tokens", "output_tokens"];

/// One number for each axis.
pub(super) type Amounts = [i64; 4];

/// A row of `jobs`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Job {
    pub(super) job_id: String,
    pub(super) kind: String,
}

/// A row of `runs` or of `outcomes`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Standing {
    pub(super) job_id: String,
    pub(super) state: String,
    pub(super) event_seq: i64,
    pub(super) error_code: Option<String>,
    pub(super) open_holds: i64,
    pub(super) set_aside_at: Option<i64>,
    pub(super) limit: [Option<i64>; 4],
    pub(super) spent: Amounts,
    pub(super) reserved: Amounts,
    pub(super) in_doubt: Amounts,
    /// Only an outcome has one.
    #[serde(default)]
    pub(super) manifest: Option<Vec<Artifact>>,
}

/// A line of a manifest.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Artifact {
    pub(super) digest: String,
}

/// A row of `job_events`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Event {
    pub(super) job_id: String,
    pub(super) seq: i64,
    pub(super) at: i64,
    pub(super) generation: i64,
    pub(super) name: String,
    pub(super) from_state: Option<String>,
    pub(super) to_state: Option<String>,
    pub(super) detail: Value,
}

/// A row of `ledger`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Entry {
    pub(super) job_id: String,
    pub(super) hold_id: String,
    pub(super) kind: String,
    pub(super) at: i64,
    pub(super) call: String,
    pub(super) sample: i64,
    pub(super) retry: i64,
    pub(super) amounts: Amounts,
    pub(super) answer_digest: Option<String>,
    pub(super) usable: i64,
}

/// A row of `checkpoints`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Checkpoint {
    pub(super) job_id: String,
    pub(super) stage: String,
    pub(super) version: i64,
    pub(super) item: String,
    pub(super) input: String,
    pub(super) generation: i64,
    pub(super) result_digest: Option<String>,
}

/// Everything that the tables say about one job.
#[derive(Debug, Clone, Default)]
pub(super) struct Record {
    pub(super) kind: String,
    pub(super) runs: Vec<Standing>,
    pub(super) outcomes: Vec<Standing>,
    pub(super) events: Vec<Event>,
    pub(super) ledger: Vec<Entry>,
    pub(super) checkpoints: Vec<Checkpoint>,
}

/// Jobs by id.
pub(super) type Records = BTreeMap<String, Record>;

const JOBS: &[Column] = &[Column::Id("job_id"), Column::Plain("kind")];

const STANDING: &[Column] = &[
    Column::Id("job_id"),
    Column::Plain("state"),
    Column::Plain("event_seq"),
    Column::Plain("error_code"),
    Column::Plain("open_holds"),
    Column::Instant("set_aside_at"),
    Column::Axes("limit"),
    Column::Axes("spent"),
    Column::Axes("reserved"),
    Column::Axes("in_doubt"),
];

const MANIFEST: Column = Column::Json("manifest");

const EVENTS: &[Column] = &[
    Column::Id("job_id"),
    Column::Plain("seq"),
    Column::Instant("at"),
    Column::Plain("generation"),
    Column::Plain("name"),
    Column::Plain("from_state"),
    Column::Plain("to_state"),
    Column::Json("detail"),
];

const LEDGER: &[Column] = &[
    Column::Id("job_id"),
    Column::Id("hold_id"),
    Column::Plain("kind"),
    Column::Instant("at"),
    Column::Bytes("call"),
    Column::Plain("sample"),
    Column::Plain("retry"),
    Column::Axes("amounts"),
    Column::Bytes("answer_digest"),
    Column::Flag("usable"),
];

const CHECKPOINTS: &[Column] = &[
    Column::Id("job_id"),
    Column::Plain("stage"),
    Column::Plain("version"),
    Column::Plain("item"),
    Column::Bytes("input"),
    Column::Plain("generation"),
    Column::Bytes("result_digest"),
];

/// The statements that read the tables, in the order in which [`records`] takes their rows.
pub(super) fn statements(dialect: Dialect) -> [String; 6] {
    let outcome: Vec<Column> = STANDING.iter().copied().chain([MANIFEST]).collect();
    [
        select(dialect, "jobs", JOBS, "job_id"),
        select(dialect, "runs", STANDING, "job_id"),
        select(dialect, "outcomes", &outcome, "job_id"),
        select(dialect, "job_events", EVENTS, "job_id, seq"),
        select(dialect, "ledger", LEDGER, "entry_no"),
        select(dialect, "checkpoints", CHECKPOINTS, "job_id"),
    ]
}

/// Sorts the rows by job.
pub(super) fn records(rows: &[Vec<String>; 6]) -> Records {
    let [jobs, runs, outcomes, events, ledger, checkpoints] = rows;
    let mut records = Records::new();
    for job in parsed::<Job>(jobs) {
        records.entry(job.job_id).or_default().kind = job.kind;
    }
    for run in parsed::<Standing>(runs) {
        records.entry(run.job_id.clone()).or_default().runs.push(run);
    }
    for outcome in parsed::<Standing>(outcomes) {
        records.entry(outcome.job_id.clone()).or_default().outcomes.push(outcome);
    }
    for event in parsed::<Event>(events) {
        records.entry(event.job_id.clone()).or_default().events.push(event);
    }
    for entry in parsed::<Entry>(ledger) {
        records.entry(entry.job_id.clone()).or_default().ledger.push(entry);
    }
    for checkpoint in parsed::<Checkpoint>(checkpoints) {
        records.entry(checkpoint.job_id.clone()).or_default().checkpoints.push(checkpoint);
    }
    records
}

fn parsed<T: DeserializeOwned>(rows: &[String]) -> impl Iterator<Item = T> {
    rows.iter().map(|row| match serde_json::from_str(row) {
        Ok(row) => row,
        Err(error) => panic!("a row is not what the checker knows ({error}): {row}"),
    })
}

impl Record {
    /// Its one row, in whichever of the two tables; `None` unless there is exactly one.
    pub(super) fn standing(&self) -> Option<&Standing> {
        match (&*self.runs, &*self.outcomes) {
            ([one], []) | ([], [one]) => Some(one),
            _ => None,
        }
    }
}
