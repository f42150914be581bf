//! What lies in a database: jobs that are ready, and rows beside them.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use koinon::Koinon;
use koinon::budget::Limits;
use koinon::domain::{CommitNo, ErrorCode, Failed, JobId, TenantId};
use koinon::store::{ClaimRequest, Commit, End, Fenced, LeaseStore as _, Manifest};
use koinon_store_postgres::PostgresStore;
use sqlx::{Connection as _, PgConnection};

use crate::engine::server::Scratch;
use crate::engine::size::Size;
use crate::engine::submit::{PAYLOAD, Templates};

/// Where the jobs wait.
pub(super) const QUEUE: &str = "noop";

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
        let templates = Templates::new(koinon, QUEUE, PAYLOAD.to_owned(), Limits::default())?;
        let submit = async || -> anyhow::Result<JobId> {
            let submitted = koinon.jobs().submit(templates.batch(1)).await?.pop();
            Ok(submitted.context("no answer to a submission")?.job())
        };
        if rows.ended > 0 {
            let job = submit().await?;
            end(store, claim, End::Succeeded(Manifest::default())).await?;
            multiply(&mut session, &[JOBS, OUTCOMES], job, 1, rows.ended).await?;
        }
        if rows.future > 0 {
            let job = submit().await?;
            let failed = Failed::new(ErrorCode::INTERRUPTED, "not before tomorrow");
            end(store, claim, End::Retryable { failed, wait: Duration::from_hours(24) }).await?;
            multiply(&mut session, &[JOBS, RUNS], job, 1, rows.future).await?;
        }
        let job = submit().await?;
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

const JOBS: &str = include_str!("../../../sql/claim/multiply_jobs.sql");
const RUNS: &str = include_str!("../../../sql/claim/multiply_runs.sql");
const OLD_RUNS: &str = include_str!("../../../sql/claim/multiply_old_runs.sql");
const EVENTS: &str = include_str!("../../../sql/claim/multiply_events.sql");
const OUTCOMES: &str = include_str!("../../../sql/claim/multiply_outcomes.sql");

/// So many more jobs that stand as this one does; `first` keeps those of one job apart.
async fn multiply(
    session: &mut PgConnection,
    tables: &[&'static str],
    job: JobId,
    first: i64,
    count: i64,
) -> anyhow::Result<()> {
    for table in tables {
        let insert = sqlx::query(*table).bind(job.as_uuid()).bind(first).bind(first + count - 1);
        insert.execute(&mut *session).await?;
    }
    Ok(())
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

/// Claims the one job that is ready, and ends the claim.
async fn end(store: &PostgresStore, claim: &ClaimRequest, end: End) -> anyhow::Result<()> {
    let claimed = store.claim(claim).await?.pop().context("nothing was claimed")?;
    let commit = Commit {
        job: claimed.job,
        tenant: TenantId::try_new("local")?,
        owner: claim.owner,
        generation: claimed.generation,
        commit_no: CommitNo::new(1),
        lease_for: claim.lease_for,
        started: true,
        items_started: 0,
        holds: Vec::new(),
        hold_ends: Vec::new(),
        checkpoints: Vec::new(),
        progress: None,
        notes: Vec::new(),
        end: Some(end),
    };
    let answer = store.commit(commit).await?;
    ensure!(matches!(answer, Fenced::Applied(_)), "the claim could not be ended: {answer:?}");
    Ok(())
}
