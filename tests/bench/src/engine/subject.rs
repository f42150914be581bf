//! The engine at work: one process, one worker, real jobs.

use std::sync::Arc;
use std::time::Duration;

use anyhow::ensure;
use koinon::budget::{Limits, Profile};
use koinon::domain::QueueName;
use koinon::prelude::Until;
use koinon::store::{Clock as _, SystemClock};
use koinon::{Koinon, Settings};
use sqlx::{Connection as _, PgConnection};

use super::cost::Reading;
use super::floor::Slice;
use super::server::Scratch;
use super::size::Size;
use super::submit::{self, PAYLOAD, Templates};
use super::workloads::{Calls, Noop, Paid, Stages};
use crate::instant::Instant;

/// How many jobs run at once.
pub(super) const CAPACITY: u32 = 64;

/// The prices of the provider that answers at once.
const PRICES: &str = r#"
id = "bench"
effective_from = "2026-01-01T00:00:00Z"
[[price]]
provider = "instant"
model = "copy"
input_usd_per_million = "1"
output_usd_per_million = "2"
"#;

/// What jobs do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// Nothing.
    Noop,
    /// Three checkpointed stages.
    Stages,
    /// Paid calls, one after the other, in as many jobs as run at once.
    Paid,
}

/// The settings of an engine on a scratch database, which has the schema when this returns.
pub(super) async fn prepare(scratch: &Scratch) -> anyhow::Result<Settings> {
    let mut settings = Settings::default();
    settings.database.url.clone_from(&scratch.url);
    settings.artifacts.url = "memory://".to_owned();
    settings.operations.admission.worker_capacity = CAPACITY;
    // What still runs when the time is over is handed back.
    settings.operations.drain_for = Duration::ZERO;
    Koinon::migrate(&settings).await?;
    Ok(settings)
}

/// An engine with the workloads that are measured.
pub(super) async fn open(settings: &Settings) -> anyhow::Result<Koinon> {
    let builder = Koinon::builder(settings.clone()).workload(Noop).workload(Stages).workload(Paid);
    let builder = builder.provider(Arc::new(Instant::new())).prices(Profile::from_toml(PRICES)?);
    let koinon = builder.open().await?;
    for profile in koinon.profiles().all() {
        koinon.ledger().keep_profile(profile).await?;
    }
    Ok(koinon)
}

/// Measures how many jobs, or calls, a second are finished. More wait than are expected to be, which is
/// told from what the floor did in a second; if none is left before the time is over, the time ends there.
pub(super) async fn measure(
    scratch: &Scratch,
    work: Work,
    floor_per_s: f64,
    size: Size,
) -> anyhow::Result<Slice> {
    let settings = prepare(scratch).await?;
    let koinon = open(&settings).await?;
    work.fill(&koinon, floor_per_s, size).await?;
    koinon.close().await;
    let mut session = scratch.session().await?;
    sqlx::raw_sql("VACUUM ANALYZE").execute(&mut session).await?;
    let before = Reading::take(&mut session, scratch.postmaster).await?;
    let koinon = open(&settings).await?;
    let clock = SystemClock::new();
    let queues = vec![QueueName::try_new(work.kind())?];
    let began = clock.monotonic();
    let worker = koinon.worker(queues);
    tokio::select! {
        idle = worker.dispatch(Until::Idle) => idle?,
        () = tokio::time::sleep(size.most_time()) => {}
    }
    let took = clock.monotonic() - began;
    let per_s = per_s(work.done(&mut session).await?, took);
    worker.drain().await;
    koinon.close().await;
    let after = Reading::take(&mut session, scratch.postmaster).await?;
    let done = work.done(&mut session).await?;
    ensure!(done > 0, "nothing was finished; the worker says {:?}", worker.trouble());
    work.check(&mut session).await?;
    session.close().await?;
    Ok(Slice { per_s, cost: before.cost_until(after, done) })
}

impl Work {
    pub(super) const fn kind(self) -> &'static str {
        match self {
            Self::Noop => "noop",
            Self::Stages => "stages",
            Self::Paid => "paid",
        }
    }

    async fn fill(self, koinon: &Koinon, floor_per_s: f64, size: Size) -> anyhow::Result<()> {
        let wanted = wanted(floor_per_s, size);
        let (jobs, payload, limits) = match self {
            Self::Noop | Self::Stages => (wanted, PAYLOAD.to_owned(), Limits::default()),
            Self::Paid => {
                let calls = u32::try_from(wanted.div_ceil(u64::from(CAPACITY)))?;
                let cost = Some("1000".parse()?);
                let limits = Limits { cost, calls: Some(1_000_000), ..Limits::default() };
                (u64::from(CAPACITY), serde_json::to_string(&Calls { calls })?, limits)
            }
        };
        let templates = Templates::new(koinon, self.kind(), payload, limits)?;
        submit::fill(koinon, &templates, jobs).await
    }

    /// How many jobs, or calls, are finished.
    async fn done(self, session: &mut PgConnection) -> anyhow::Result<u64> {
        let count = match self {
            Self::Noop | Self::Stages => include_str!("../../sql/subject/finished.sql"),
            Self::Paid => include_str!("../../sql/subject/settled.sql"),
        };
        Ok(u64::try_from(sqlx::query_scalar::<_, i64>(count).fetch_one(session).await?)?)
    }

    /// Whether the whole history of what was done is there.
    async fn check(self, session: &mut PgConnection) -> anyhow::Result<()> {
        let broken = match self {
            Self::Noop => history(&["submitted", "claimed", "started", "succeeded"]),
            Self::Stages => history(&[
                "submitted",
                "claimed",
                "started",
                "checkpointed",
                "checkpointed",
                "checkpointed",
                "succeeded",
            ]),
            Self::Paid => {
                sqlx::query_scalar(include_str!("../../sql/subject/unpaid_checkpoints.sql"))
            }
        };
        let broken: i64 = broken.fetch_one(session).await?;
        ensure!(broken == 0, "{broken} jobs or calls have not the history that they must have");
        Ok(())
    }
}

/// How many jobs, or calls, have to wait for a subject of which is known what its floor does in a second.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
pub(super) fn wanted(floor_per_s: f64, size: Size) -> u64 {
    ((floor_per_s * size.slice().as_secs_f64() * 2.0) as u64).clamp(1, size.most_jobs())
}

type Count<'q> = sqlx::query::QueryScalar<'q, sqlx::Postgres, i64, sqlx::postgres::PgArguments>;

fn history<'q>(events: &'q [&'q str]) -> Count<'q> {
    sqlx::query_scalar(include_str!("../../sql/subject/broken_history.sql")).bind(events)
}

/// So many in so much time, in a second.
#[expect(clippy::cast_precision_loss, reason = "some seconds' worth of jobs")]
pub(super) fn per_s(done: u64, took: Duration) -> f64 {
    done as f64 / took.as_secs_f64()
}
