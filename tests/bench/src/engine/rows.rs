//! Rows of jobs that came to where they stand in the usual way, multiplied by statements.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use koinon::Koinon;
use koinon::budget::Limits;
use koinon::domain::{CommitNo, JobId, QueueName, TenantId, WorkerId};
use koinon::store::{
    ClaimRequest, Claimed, Clock as _, Commit, End, Fenced, LeaseStore as _, RunningLimits, Scope,
    SystemClock,
};
use koinon_store_postgres::PostgresStore;
use sqlx::PgConnection;

use super::submit::{PAYLOAD, Templates};

/// Where the jobs wait.
pub(super) const QUEUE: &str = "noop";

/// The tables that a job has rows in, each with the statement that multiplies them.
pub(super) const JOBS: &str = include_str!("../../sql/rows/jobs.sql");
pub(super) const RUNS: &str = include_str!("../../sql/rows/runs.sql");
pub(super) const OLD_RUNS: &str = include_str!("../../sql/rows/old_runs.sql");
pub(super) const EVENTS: &str = include_str!("../../sql/rows/events.sql");
pub(super) const OUTCOMES: &str = include_str!("../../sql/rows/outcomes.sql");

/// Asks for one job of the queue, under a lease that lasts for so long.
pub(super) fn request(lease_for: Duration) -> anyhow::Result<ClaimRequest> {
    Ok(ClaimRequest {
        owner: WorkerId::from_uuid(SystemClock::new().uuid()),
        scope: Scope::Queue(QueueName::try_new(QUEUE)?),
        limit: 1,
        running: RunningLimits::NONE,
        lease_for,
        starts: Vec::new(),
    })
}

/// One job that is ready.
pub(super) async fn submit(koinon: &Koinon) -> anyhow::Result<JobId> {
    let templates = Templates::new(koinon, QUEUE, PAYLOAD.to_owned(), Limits::default())?;
    let submitted = koinon.jobs().submit(templates.batch(1)).await?.pop();
    Ok(submitted.context("no answer to a submission")?.job())
}

/// So many more jobs that stand as this one does; `first` keeps those of one job apart.
pub(super) async fn multiply(
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

/// Claims the one job that is ready, and commits these ends, one after the other.
pub(super) async fn end(
    store: &PostgresStore,
    claim: &ClaimRequest,
    ends: impl IntoIterator<Item = End>,
) -> anyhow::Result<()> {
    let claimed = store.claim(claim).await?.pop().context("nothing was claimed")?;
    for (commit_no, end) in (1..).zip(ends) {
        let answer = store.commit(ending(&claimed, claim, commit_no, end)?).await?;
        ensure!(matches!(answer, Fenced::Applied(_)), "the claim could not be ended: {answer:?}");
    }
    Ok(())
}

fn ending(
    claimed: &Claimed,
    claim: &ClaimRequest,
    commit_no: i64,
    end: End,
) -> anyhow::Result<Commit> {
    Ok(Commit {
        job: claimed.job,
        tenant: TenantId::try_new("local")?,
        owner: claim.owner,
        generation: claimed.generation,
        commit_no: CommitNo::new(commit_no),
        lease_for: claim.lease_for,
        started: commit_no == 1,
        items_started: 0,
        holds: Vec::new(),
        hold_ends: Vec::new(),
        checkpoints: Vec::new(),
        progress: None,
        notes: Vec::new(),
        end: Some(end),
    })
}
