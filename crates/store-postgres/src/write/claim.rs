//! A worker takes jobs.

use koinon_domain::{Priority, Timestamp};
use koinon_store::{ClaimRequest, Claimed, Error, Scope, decide};

use super::recover::set_aside;
use super::save::Batch;
use crate::error::Failure;
use crate::row;
use crate::store::Shared;
use crate::tx::{Tx, in_tx};

/// Claims up to `limit` ready jobs. A row that cannot be read is set aside, so that it does not stand
/// in front of the others for ever.
pub(crate) async fn claim(shared: &Shared, request: &ClaimRequest) -> Result<Vec<Claimed>, Error> {
    if request.limit == 0 {
        return Ok(Vec::new());
    }
    let taken = in_tx!(shared, &shared.pool, tx => take(&mut tx, shared, request))?;
    if let Scope::Queue(queue) = &request.scope {
        shared.bounds.claimed(queue, &taken.ready, taken.now);
    }
    Ok(taken.claimed)
}

/// What a claim took.
struct Taken {
    claimed: Vec<Claimed>,
    /// Since when it was ready, and how urgent it was.
    ready: Vec<(Priority, Timestamp)>,
    now: Timestamp,
}

async fn take(tx: &mut Tx<'_>, shared: &Shared, request: &ClaimRequest) -> Result<Taken, Failure> {
    let (given, limit) = (tx.given(), i64::from(request.limit));
    let query = match &request.scope {
        Scope::Queue(queue) => sqlx::query(include_str!("../sql/claim.sql"))
            .bind(queue.as_str())
            .bind(given)
            .bind(limit)
            .bind(shared.bounds.of(queue)),
        Scope::Job(job) => sqlx::query(include_str!("../sql/claim_job.sql"))
            .bind(job.as_uuid())
            .bind(given)
            .bind(limit),
    };
    let rows = tx.locked(query).await?;
    let mut batch = Batch::default();
    let (mut claimed, mut ready) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
    for found in &rows {
        match row::run(found) {
            Ok(run) => {
                let before = run.clone();
                let changes = decide::claim(run, request.owner, request.lease_for, tx.now())?;
                let (job, generation) = (changes.run.job, changes.run.generation);
                claimed.push(Claimed { job, generation });
                ready.push((before.priority, before.ready_at));
                batch.add(before, changes);
            }
            Err(error) => {
                let job = row::Columns::new(found, "the run").job()?;
                set_aside(tx, job, &error.to_string()).await?;
            }
        }
    }
    batch.save(tx).await?;
    Ok(Taken { claimed, ready, now: tx.now() })
}
