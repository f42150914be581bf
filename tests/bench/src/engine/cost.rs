//! What work costs: transactions, write-ahead log, and the time of processors.

use std::ops::AddAssign;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use serde::Serialize;
use sqlx::PgConnection;

/// So often, and so long apart, it is asked whether the sessions of a slice have ended.
const ASKS: u32 = 400;
const BETWEEN_ASKS: Duration = Duration::from_millis(5);

/// Counters as they stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    transactions: i64,
    wal_bytes: i64,
    client_ticks: u64,
    server_ticks: Option<u64>,
}

/// What some work cost altogether.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    done: f64,
    transactions: f64,
    wal_bytes: f64,
    client_us: Option<f64>,
    server_us: Option<f64>,
}

/// What one job cost; `None` where it cannot be known.
#[derive(Debug, Serialize)]
pub(super) struct PerJob {
    transactions: f64,
    wal_bytes: f64,
    client_us: Option<f64>,
    server_us: Option<f64>,
}

impl Reading {
    /// Reads the counters. All sessions but this one have to end first: they tell of their last transactions
    /// when they do. `postmaster` is the server's first process, if it runs here.
    pub(super) async fn take(
        session: &mut PgConnection,
        postmaster: Option<u32>,
    ) -> anyhow::Result<Self> {
        let others = include_str!("../../sql/other_sessions.sql");
        let mut asks = 0;
        while sqlx::query_scalar::<_, i64>(others).fetch_one(&mut *session).await? > 0 {
            asks += 1;
            ensure!(asks < ASKS, "a session of a slice that is over does not end");
            tokio::time::sleep(BETWEEN_ASKS).await;
        }
        let transactions = include_str!("../../sql/transactions.sql");
        let wal_bytes = include_str!("../../sql/wal_bytes.sql");
        Ok(Self {
            transactions: sqlx::query_scalar(transactions).fetch_one(&mut *session).await?,
            wal_bytes: sqlx::query_scalar(wal_bytes).fetch_one(&mut *session).await?,
            client_ticks: ticks_of(Path::new("/proc/self")).unwrap_or_default(),
            server_ticks: postmaster.map(ticks_of_server).transpose()?,
        })
    }

    /// What the work between this reading and a later one cost.
    #[expect(clippy::cast_precision_loss, reason = "counters of some seconds")]
    pub(super) fn cost_until(self, later: Self, done: u64) -> Cost {
        let micros = |ticks: u64| tick_us().filter(|_| ticks > 0).map(|tick| (ticks as f64) * tick);
        let server = self.server_ticks.zip(later.server_ticks);
        Cost {
            done: done as f64,
            transactions: (later.transactions - self.transactions) as f64,
            wal_bytes: (later.wal_bytes - self.wal_bytes) as f64,
            client_us: micros(later.client_ticks.saturating_sub(self.client_ticks)),
            server_us: server.and_then(|(from, to)| micros(to.saturating_sub(from))),
        }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        let sum = |one: Option<f64>, other: Option<f64>| match (one, other) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        self.done += other.done;
        self.transactions += other.transactions;
        self.wal_bytes += other.wal_bytes;
        self.client_us = sum(self.client_us, other.client_us);
        self.server_us = sum(self.server_us, other.server_us);
    }
}

impl Cost {
    /// The cost of one of the jobs that were done.
    pub(super) fn per_job(self) -> PerJob {
        PerJob {
            transactions: self.transactions / self.done,
            wal_bytes: self.wal_bytes / self.done,
            client_us: self.client_us.map(|us| us / self.done),
            server_us: self.server_us.map(|us| us / self.done),
        }
    }
}

/// The process that started another one, here on this machine.
pub(super) fn parent_of(process: i32) -> anyhow::Result<u32> {
    let folder = Path::new("/proc").join(process.to_string());
    field(&folder, 1).with_context(|| format!("this system does not tell about process {process}"))
}

/// Processor time of a server: its first process, those that have ended, and those that run.
fn ticks_of_server(postmaster: u32) -> anyhow::Result<u64> {
    let mut ticks = ticks_of(&Path::new("/proc").join(postmaster.to_string())).unwrap_or_default();
    for entry in std::fs::read_dir("/proc")? {
        let folder = entry?.path();
        if field::<u32>(&folder, 1) == Some(postmaster) {
            ticks += ticks_of(&folder).unwrap_or_default();
        }
    }
    Ok(ticks)
}

/// Processor time of a process and of those that it has waited for.
fn ticks_of(folder: &Path) -> Option<u64> {
    (11..15).map(|place| field::<u64>(folder, place)).sum()
}

/// Processor time of a process since its start, in seconds.
#[expect(clippy::cast_precision_loss, reason = "the time of a process")]
pub(super) fn cpu_s(folder: &Path) -> Option<f64> {
    Some(ticks_of(folder)? as f64 * tick_us()? / 1e6)
}

/// A field of a process's `stat`, counted from behind its name.
fn field<T: std::str::FromStr>(folder: &Path, place: usize) -> Option<T> {
    let stat = std::fs::read_to_string(folder.join("stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(place)?.parse().ok()
}

/// Microseconds of a tick.
#[cfg(target_os = "linux")]
#[expect(clippy::cast_precision_loss, reason = "a hundred or so")]
fn tick_us() -> Option<f64> {
    Some(1e6 / rustix::param::clock_ticks_per_second() as f64)
}

/// Other systems count otherwise.
#[cfg(not(target_os = "linux"))]
const fn tick_us() -> Option<f64> {
    None
}
