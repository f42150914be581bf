//! SQLite: the engine beside one writer with group commit.

mod floor;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use koinon::Settings;
use koinon::budget::Limits;
use koinon::domain::QueueName;
use koinon::prelude::Until;
use koinon::store::{Clock as _, SystemClock};
use rusqlite::{Connection, OpenFlags};
use tokio::runtime::{Builder, Runtime};

use super::report::{Report, Round};
use super::size::Size;
use super::subject;
use super::submit::{self, PAYLOAD, Templates};

/// The row.
pub(super) const ROW: &str = "sqlite_stages";

/// How many callers the floor has, and how many jobs the engine runs at once.
const IN_FLIGHT: u32 = 32;

/// Measures floor and subject in turn, each on a file of its own.
pub(super) async fn measure(size: Size) -> anyhow::Result<Report> {
    let mut rounds = Vec::new();
    for _ in 0..size.rounds() {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("floor.db");
        let asked = move || floor::measure(&file, IN_FLIGHT, size);
        let base = tokio::task::spawn_blocking(asked).await??;
        let place = folder.path().to_owned();
        let asked = move || beside_the_writer()?.block_on(subject_per_s(&place, base, size));
        let value = tokio::task::spawn_blocking(asked).await??;
        rounds.push(Round { value, base: Some(base) });
    }
    Ok(Report::of(ROW, rounds, None))
}

/// There are two cores: one for the thread that writes, which the engine has for each file, and one for all else.
fn beside_the_writer() -> std::io::Result<Runtime> {
    Builder::new_multi_thread().worker_threads(1).enable_all().build()
}

/// How many jobs of three checkpointed stages the engine finishes in a second.
async fn subject_per_s(folder: &Path, floor_per_s: f64, size: Size) -> anyhow::Result<f64> {
    let file = folder.join("subject.db");
    let mut settings = Settings::default();
    settings.database.url = format!("sqlite://{}", file.display());
    settings.artifacts.url = "memory://".to_owned();
    settings.operations.admission.worker_capacity = IN_FLIGHT;
    settings.operations.drain_for = Duration::ZERO;
    let koinon = subject::open(&settings).await?;
    let templates = Templates::new(&koinon, "stages", PAYLOAD.to_owned(), Limits::default())?;
    submit::fill(&koinon, &templates, subject::wanted(floor_per_s, size)).await?;
    let queues = vec![QueueName::try_new("stages")?];
    let clock = SystemClock::new();
    let began = clock.monotonic();
    let worker = koinon.worker(queues);
    tokio::select! {
        idle = worker.dispatch(Until::Idle) => idle?,
        () = tokio::time::sleep(size.most_time()) => {}
    }
    let took = clock.monotonic() - began;
    let done = count(&file, include_str!("../../sql/subject/finished.sql"), [])?;
    worker.drain().await;
    koinon.close().await;
    ensure!(done > 0, "nothing was finished; the worker says {:?}", worker.trouble());
    let history = "submitted claimed started checkpointed checkpointed checkpointed succeeded";
    let broken = count(&file, include_str!("../../sql/sqlite/broken_history.sql"), [history])?;
    ensure!(broken == 0, "{broken} jobs have not the history that they must have");
    Ok(subject::per_s(done, took))
}

/// What a counting statement answers, on a connection of its own.
fn count(file: &Path, statement: &str, given: impl rusqlite::Params) -> anyhow::Result<u64> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let rows: i64 = connection.query_row(statement, given, |row| row.get(0))?;
    u64::try_from(rows).context("a count below zero")
}
