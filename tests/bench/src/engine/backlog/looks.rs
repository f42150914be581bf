//! A look at the queue, in the two ways there are.

use std::fmt::{self, Display};

use anyhow::{Context as _, bail, ensure};
use koinon::domain::QueueName;
use koinon::store::{Clock as _, QueueBacklog, SystemClock};
use koinon::{Availability, Koinon, Settings, WorkerBacklog};
use sqlx::{Connection as _, PgConnection};

use crate::engine::rows::QUEUE;
use crate::engine::server::Scratch;

/// How many jobs of the queue stand where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) ready: u32,
    pub(super) active: u32,
    pub(super) retry: u32,
    pub(super) paused: u32,
    pub(super) blocked: u32,
}

/// One who looks as `koinon backlog` does, and one who asks the function of the autoscaler.
pub(super) struct Looks {
    clock: SystemClock,
    backlog: WorkerBacklog,
    session: PgConnection,
}

impl Looks {
    /// Both have looked once when this returns, so that no connection is opened in what is measured.
    pub(super) async fn open(
        scratch: &Scratch,
        settings: &Settings,
        role: &str,
    ) -> anyhow::Result<Self> {
        Koinon::install_scaler(settings, role).await?;
        let backlog = WorkerBacklog::open(settings.clone(), vec![QueueName::try_new(QUEUE)?])?;
        let session = scratch.session().await?;
        let mut looks = Self { clock: SystemClock::new(), backlog, session };
        looks.snapshot().await?;
        looks.function().await?;
        Ok(looks)
    }

    /// What the snapshot says, and how many milliseconds it took.
    pub(super) async fn snapshot(&self) -> anyhow::Result<(f64, Counts)> {
        let began = self.clock.monotonic();
        let snapshot = self.backlog.snapshot().await?;
        let took = (self.clock.monotonic() - began).as_secs_f64() * 1e3;
        let source = snapshot.datasources.first().context("a snapshot without a datasource")?;
        let Availability::Available(queues) = &source.queues else {
            bail!("the database could not be asked: {source:?}");
        };
        let mut queues = queues.iter().map(|queue| &queue.backlog);
        let queue = queues.find(|queue| queue.queue.as_str() == QUEUE);
        Ok((took, Counts::from(queue.context("a snapshot without the queue")?)))
    }

    /// What the function says, and how many milliseconds it took.
    pub(super) async fn function(&mut self) -> anyhow::Result<(f64, Counts)> {
        let ask = sqlx::query_as(include_str!("../../../sql/backlog/scaler.sql")).bind(QUEUE);
        let began = self.clock.monotonic();
        let row: [i64; 5] = {
            let (ready, active, retry, paused, blocked) = ask.fetch_one(&mut self.session).await?;
            [ready, active, retry, paused, blocked]
        };
        let took = (self.clock.monotonic() - began).as_secs_f64() * 1e3;
        let [ready, active, retry, paused, blocked] = row.map(u32::try_from);
        let (ready, active, retry) = (ready?, active?, retry?);
        Ok((took, Counts { ready, active, retry, paused: paused?, blocked: blocked? }))
    }

    /// What both say while nothing moves.
    pub(super) async fn agreed(&mut self) -> anyhow::Result<Counts> {
        let (_, snapshot) = self.snapshot().await?;
        let (_, function) = self.function().await?;
        ensure!(snapshot == function, "a snapshot says {snapshot}, the function {function}");
        Ok(snapshot)
    }

    /// How many jobs have succeeded.
    pub(super) async fn finished(&mut self) -> anyhow::Result<u64> {
        let count = sqlx::query_scalar(include_str!("../../../sql/subject/finished.sql"));
        let count: i64 = count.fetch_one(&mut self.session).await?;
        Ok(u64::try_from(count)?)
    }

    pub(super) async fn close(self) -> anyhow::Result<()> {
        self.backlog.close().await;
        Ok(self.session.close().await?)
    }
}

impl From<&QueueBacklog> for Counts {
    fn from(queue: &QueueBacklog) -> Self {
        let QueueBacklog { ready, active, retry, paused, blocked, .. } = *queue;
        Self { ready, active, retry, paused, blocked }
    }
}

impl Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ready, active, retry, paused, blocked } = self;
        write!(f, "ready {ready}, active {active}, retry {retry}, paused {paused}, ")?;
        write!(f, "blocked {blocked}")
    }
}
