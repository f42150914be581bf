//! What stands in the database before the first look.

use std::time::Duration;

use anyhow::ensure;
use koinon::Settings;
use koinon::domain::{Control, ErrorCode, Failed};
use koinon::store::{COUNT_MAX, ControlAnswer, ControlRequest, End, LeaseStore as _, Manifest};
use koinon_store_postgres::{Options, PostgresStore, Time};
use sqlx::{Connection as _, PgConnection};

use super::looks::Counts;
use crate::engine::rows::{EVENTS, JOBS, OUTCOMES, RUNS, end, multiply, request, submit};
use crate::engine::server::Scratch;
use crate::engine::size::Size;
use crate::engine::subject;

/// Longer than anything here takes: nobody sweeps what is held and what waits.
const LONG: Duration = Duration::from_hours(24);

/// How many jobs stand where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    ended: i64,
    retry: i64,
    paused: i64,
    blocked: i64,
    ready: i64,
    active: u32,
    /// Those that are ready beside them once the workers start.
    load: i64,
}

impl Standing {
    pub(super) const fn of(size: Size) -> Self {
        let all = Self {
            ended: 1_000_000,
            retry: 20_000,
            paused: 20_000,
            blocked: 1_000,
            ready: 1_000,
            active: 8,
            load: 300_000,
        };
        match size {
            Size::Full => all,
            Size::Quick => Self { ended: 50_000, load: 100_000, ..all },
            Size::Tiny => {
                let (retry, paused, blocked, ready) = (30, 20, 10, 15);
                Self { ended: 100, retry, paused, blocked, ready, active: 3, load: 20_000 }
            }
        }
    }

    /// What a look must say before the workers start.
    pub(super) fn counts(&self) -> Counts {
        let count = |jobs: i64| u32::try_from(jobs).unwrap_or(COUNT_MAX).min(COUNT_MAX);
        Counts {
            ready: count(self.ready),
            active: self.active,
            retry: count(self.retry),
            paused: count(self.paused),
            blocked: count(self.blocked),
        }
    }

    /// Fills a database that has nothing but the schema.
    pub(super) async fn fill(&self, scratch: &Scratch, settings: &Settings) -> anyhow::Result<()> {
        let koinon = subject::open(settings).await?;
        let store = PostgresStore::open(&scratch.url, Options::default(), Time::Database).await?;
        let mut session = scratch.session().await?;
        let mut claim = request(LONG)?;

        let job = submit(&koinon).await?;
        end(&store, &claim, [End::Succeeded(Manifest::default())]).await?;
        multiply(&mut session, &[JOBS, OUTCOMES], job, 1, self.ended - 1).await?;

        let job = submit(&koinon).await?;
        let failed = Failed::new(ErrorCode::INTERRUPTED, "not before tomorrow");
        end(&store, &claim, [End::Retryable { failed, wait: LONG }]).await?;
        multiply(&mut session, &[JOBS, RUNS], job, 1, self.retry - 1).await?;

        let job = submit(&koinon).await?;
        let failed = Failed::new(ErrorCode::BUDGET_EXHAUSTED, "nothing is left");
        end(&store, &claim, [End::BudgetExhausted(failed), End::Flushed]).await?;
        multiply(&mut session, &[JOBS, RUNS], job, 1, self.blocked - 1).await?;

        let job = submit(&koinon).await?;
        let pause = ControlRequest::State(Control::Pause);
        let paused = koinon.jobs().control(koinon.tenant(), job, pause).await?;
        ensure!(matches!(paused, ControlAnswer::Done(_)), "a job cannot be paused: {paused:?}");
        multiply(&mut session, &[JOBS, RUNS], job, 1, self.paused - 1).await?;

        let job = submit(&koinon).await?;
        let rest = self.ready + i64::from(self.active) - 1;
        multiply(&mut session, &[JOBS, RUNS, EVENTS], job, 1, rest).await?;
        vacuum(session).await?;
        claim.limit = self.active;
        let held = store.claim(&claim).await?.len();
        ensure!(u32::try_from(held) == Ok(self.active), "{held} jobs were claimed");
        store.close().await;
        koinon.close().await;
        Ok(())
    }

    /// Lets the jobs wait that the workers are to run.
    pub(super) async fn fill_load(
        &self,
        scratch: &Scratch,
        settings: &Settings,
    ) -> anyhow::Result<()> {
        let koinon = subject::open(settings).await?;
        let job = submit(&koinon).await?;
        koinon.close().await;
        let mut session = scratch.session().await?;
        multiply(&mut session, &[JOBS, RUNS, EVENTS], job, 1, self.load).await?;
        vacuum(session).await
    }
}

async fn vacuum(mut session: PgConnection) -> anyhow::Result<()> {
    sqlx::raw_sql("VACUUM ANALYZE").execute(&mut session).await?;
    Ok(session.close().await?)
}
