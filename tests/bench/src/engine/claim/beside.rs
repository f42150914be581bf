//! What lies in a database: jobs that are ready, and rows beside them.

use std::time::Duration;

use anyhow::ensure;
use koinon::Koinon;
use koinon::domain::{ErrorCode, Failed};
use koinon::store::{ClaimRequest, End, Manifest};
use koinon_store_postgres::PostgresStore;
use sqlx::{Connection as _, PgConnection};

use crate::engine::rows::{EVENTS, JOBS, OLD_RUNS, OUTCOMES, RUNS, end, multiply, submit};
use crate::engine::server::Scratch;
use crate::engine::size::Size;

/// How many rows of each sort there are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rows {
    ready: i64,
    ended: i64,
    future: i64,
    dead: i64,
}

/// The transaction that keeps dead rows from being taken away, where there is one.
#[derive(Debug)]
pub(super) struct Beside(Option<PgConnection>);

impl Beside {
    /// What the databases have in them, in the order of the rows.
    pub(super) const fn all(size: Size) -> [Rows; 4] {
        let [small, middle, large] = match size {
            Size::Full => [1_000, 100_000, 1_000_000],
            Size::Quick => [1_000, 10_000, 50_000],
            Size::Tiny => [100, 200, 300],
        };
        let none = Rows { ready: 0, ended: 0, future: 0, dead: 0 };
        [
            Rows { ready: small, ..none },
            Rows { ready: middle, ..none },
            Rows { ready: large, ..none },
            Rows { ready: small, ended: large, future: large / 10, dead: large / 2 },
        ]
    }

    /// Fills a database that has nothing but the schema. Each sort of row begins with a job that came there in
    /// the usual way, and is multiplied by statements.
    pub(super) async fn fill(
        scratch: &Scratch,
        rows: Rows,
        koinon: &Koinon,
        store: &PostgresStore,
        claim: &ClaimRequest,
    ) -> anyhow::Result<Self> {
        let mut session = scratch.session().await?;
        if rows.ended > 0 {
            let job = submit(koinon).await?;
            end(store, claim, [End::Succeeded(Manifest::default())]).await?;
            multiply(&mut session, &[JOBS, OUTCOMES], job, 1, rows.ended).await?;
        }
        if rows.future > 0 {
            let job = submit(koinon).await?;
            let failed = Failed::new(ErrorCode::INTERRUPTED, "not before tomorrow");
            end(store, claim, [End::Retryable { failed, wait: Duration::from_hours(24) }]).await?;
            multiply(&mut session, &[JOBS, RUNS], job, 1, rows.future).await?;
        }
        let job = submit(koinon).await?;
        multiply(&mut session, &[JOBS, RUNS, EVENTS], job, 1, rows.ready).await?;
        let mut beside = Self(None);
        if rows.dead > 0 {
            let first = rows.ready + 1;
            multiply(&mut session, &[JOBS, OLD_RUNS], job, first, rows.dead).await?;
            beside.0 = Some(die(scratch, &mut session, rows.dead).await?);
        }
        sqlx::raw_sql("VACUUM ANALYZE").execute(&mut session).await?;
        session.close().await?;
        Ok(beside)
    }

    /// Ends the long transaction.
    pub(super) async fn end(self) -> anyhow::Result<()> {
        match self.0 {
            Some(snapshot) => Ok(snapshot.close().await?),
            None => Ok(()),
        }
    }
}

/// Lets the old jobs be claimed and end under a long transaction, which is answered.
async fn die(
    scratch: &Scratch,
    session: &mut PgConnection,
    dead: i64,
) -> anyhow::Result<PgConnection> {
    sqlx::raw_sql("VACUUM ANALYZE").execute(&mut *session).await?;
    let mut snapshot = scratch.session().await?;
    let hold = include_str!("../../../sql/claim/hold_snapshot.sql");
    sqlx::raw_sql(hold).execute(&mut snapshot).await?;
    let claim = include_str!("../../../sql/claim/claim_old.sql");
    let end = include_str!("../../../sql/claim/end_old.sql");
    for statement in [claim, end] {
        let done = sqlx::query(statement).execute(&mut *session).await?.rows_affected();
        ensure!(Ok(done) == u64::try_from(dead), "{done} rows died instead of {dead}");
    }
    Ok(snapshot)
}
