//! A worker takes jobs.

use koinon_domain::{Priority, Timestamp};
use koinon_store::{Claim, ClaimRequest, Claimed, Error, Loaded, Scope};

use super::give_back::{give_back, give_back_unread};
use super::limited::limited;
use crate::error::Failure;
use crate::memory::Known;
use crate::row::{self, Columns, Found};
use crate::store::Shared;
use crate::tx::{Query, Tx, in_each, in_tx};

/// Claims up to `limit` ready jobs and reads them, in one statement. One that cannot be read is given back and
/// set aside, so that it does not stand in front of the others for ever.
pub(crate) async fn take(
    shared: &Shared,
    request: &ClaimRequest,
) -> Result<Vec<(Claimed, Loaded)>, Error> {
    if request.limit == 0 {
        return Ok(Vec::new());
    }
    let claiming = shared.bounds.claiming();
    let taken = if request.running.is_none() {
        in_each!(shared, &shared.pool, tx => claim(&mut tx, shared, request))?
    } else {
        in_tx!(shared, &shared.pool, tx => claim_under_limits(&mut tx, shared, request))?
    };
    claiming.done();
    // Under a limit for each tenant a claim passes by jobs that it must find again.
    if let Scope::Queue(queue) = &request.scope
        && request.running.per_tenant.is_none()
    {
        shared.bounds.claimed(queue, &taken.ready, taken.now);
    }
    shared.memory.keep(taken.written);
    for (claimed, loaded) in &taken.jobs {
        if let Err(Error::Corrupt { what }) = loaded {
            match give_back(shared, claimed, what).await {
                Err(Error::Corrupt { what }) => give_back_unread(shared, claimed, &what).await?,
                given_back => given_back?,
            }
        }
    }
    Ok(taken.jobs)
}

/// What a claim took.
struct Taken {
    jobs: Vec<(Claimed, Loaded)>,
    /// How urgent each was, and since when it was ready.
    ready: Vec<(Priority, Timestamp)>,
    /// The rows as they are now.
    written: Vec<Known>,
    now: Timestamp,
}

async fn claim(tx: &mut Tx<'_>, shared: &Shared, request: &ClaimRequest) -> Result<Taken, Failure> {
    let query = ready(tx, shared, request, request.limit);
    taken(tx, shared, query).await
}

async fn claim_under_limits(
    tx: &mut Tx<'_>,
    shared: &Shared,
    request: &ClaimRequest,
) -> Result<Taken, Failure> {
    match limited(tx, shared, request).await? {
        Some(query) => taken(tx, shared, query).await,
        None => {
            let (jobs, ready, written) = (Vec::new(), Vec::new(), Vec::new());
            Ok(Taken { jobs, ready, written, now: tx.now() })
        }
    }
}

/// Runs a statement that claims jobs. What it had locked is free again when it fails, and it may be tried again.
async fn taken(tx: &mut Tx<'_>, shared: &Shared, query: Query<'_>) -> Result<Taken, Failure> {
    let rows = tx.write_timed(query).await.inspect_err(|_| shared.bounds.forget())?;
    let (mut jobs, mut ready) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
    let mut written = Vec::with_capacity(rows.len());
    for found in &rows {
        let row = Columns::new(found, "the run");
        let claimed = Claimed { job: row.job()?, generation: row.generation("generation")? };
        let loaded = read(found);
        if let Ok(Claim { run, .. }) = &loaded {
            let (run, version) = (run.clone(), row.get("row_version")?);
            written.push(Known { run, version, holds: Vec::new() });
        }
        ready.extend(loaded.iter().map(|claim| (claim.run.priority, claim.run.ready_at)));
        jobs.push((claimed, loaded.map(Some)));
    }
    Ok(Taken { jobs, ready, written, now: tx.now() })
}

/// A statement that claims what one of the beginnings finds; the arguments of that one follow.
macro_rules! claim_of {
    ($begins:literal, $tx:expr, $request:expr) => {
        sqlx::query(concat!(include_str!($begins), include_str!("../sql/claimed.sql")))
            .bind($tx.given())
            .bind($tx.latest())
            .bind($request.owner.as_uuid())
            .bind($crate::row::micros($request.lease_for))
            .bind($request.starts.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
}

pub(super) use claim_of;

/// Claims up to `limit` ready jobs, whatever runs.
pub(super) fn ready<'q>(
    tx: &Tx<'_>,
    shared: &Shared,
    request: &ClaimRequest,
    limit: u32,
) -> Query<'q> {
    match &request.scope {
        Scope::Queue(queue) => claim_of!("../sql/claim.sql", tx, request)
            .bind(queue.as_str().to_owned())
            .bind(i64::from(limit))
            .bind(shared.bounds.of(queue)),
        Scope::Job(job) => claim_of!("../sql/claim_job.sql", tx, request)
            .bind(job.as_uuid())
            .bind(i64::from(limit)),
    }
}

fn read(found: &Found) -> Result<Claim, Error> {
    let run = row::run(found)?;
    Ok(Claim { spec: row::spec(found)?, run })
}
