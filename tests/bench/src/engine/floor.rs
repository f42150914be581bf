//! The floors: bare statements on bare tables.

use sqlx::{Connection as _, PgConnection};

use super::cost::{Cost, Reading};
use super::pgbench;
use super::server::Scratch;
use super::size::Size;

/// The clients that run a floor.
const CLIENTS: u32 = 16;

/// So many jobs a second no floor does, so that its queue is never empty.
const FASTEST_PER_S: i64 = 30_000;

/// One of the floors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Floor {
    /// Submitting a job.
    Insert,
    /// A job that does nothing, in two transactions.
    Claim2,
    /// A job of three checkpointed stages, in five.
    Wf5,
    /// A paid call, in two.
    Paid,
}

/// How quick something was, and what it cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slice {
    /// Jobs, or calls, in a second.
    pub(super) per_s: f64,
    pub(super) cost: Cost,
}

impl Floor {
    /// Measures it once, on a scratch database that is empty.
    pub(super) async fn measure(self, scratch: &Scratch, size: Size) -> anyhow::Result<Slice> {
        let mut session = scratch.session().await?;
        self.prepare(&mut session, size).await?;
        let before = Reading::take(&mut session, scratch.postmaster).await?;
        let ran = pgbench::run(scratch, self.script(), CLIENTS, size).await?;
        let after = Reading::take(&mut session, scratch.postmaster).await?;
        session.close().await?;
        Ok(Slice { per_s: ran.per_s, cost: before.cost_until(after, ran.done) })
    }

    async fn prepare(self, session: &mut PgConnection, size: Size) -> anyhow::Result<()> {
        let seconds = i64::try_from(size.slice().as_secs())?;
        let (schema, fill, rows) = match self {
            Self::Insert => (QUEUE.0, QUEUE.1, 0),
            Self::Claim2 | Self::Wf5 => (QUEUE.0, QUEUE.1, FASTEST_PER_S * seconds),
            Self::Paid => (PAID.0, PAID.1, i64::from(CLIENTS) * 4),
        };
        sqlx::raw_sql(schema).execute(&mut *session).await?;
        sqlx::query(fill).bind(rows).execute(&mut *session).await?;
        sqlx::raw_sql("VACUUM ANALYZE").execute(&mut *session).await?;
        Ok(())
    }

    const fn script(self) -> &'static str {
        match self {
            Self::Insert => include_str!("../../sql/floors/insert.sql"),
            Self::Claim2 => include_str!("../../sql/floors/claim2.sql"),
            Self::Wf5 => include_str!("../../sql/floors/wf5.sql"),
            Self::Paid => include_str!("../../sql/floors/paid.sql"),
        }
    }
}

/// The tables of a floor, and the rows in them.
const QUEUE: (&str, &str) = (
    include_str!("../../sql/floors/queue_schema.sql"),
    include_str!("../../sql/floors/queue_fill.sql"),
);
const PAID: (&str, &str) = (
    include_str!("../../sql/floors/paid_schema.sql"),
    include_str!("../../sql/floors/paid_fill.sql"),
);
