//! A worker takes jobs.

use koinon_store::{ClaimRequest, Claimed, Error, Scope, decide};

use super::recover::set_aside;
use super::save::{Batch, Standing};
use crate::error::Failure;
use crate::row;
use crate::store::Shared;
use crate::tx::{Tx, in_tx};

/// Claims up to `limit` ready jobs. A row that cannot be read is set aside, so that it does not stand
/// in front of the others for ever.
pub(crate) async fn claim(shared: &Shared, request: &ClaimRequest) -> Result<Vec<Claimed>, Error> {
    Ok(in_tx!(shared, &shared.pool, tx => take(&mut tx, request))?)
}

async fn take(tx: &mut Tx<'_>, request: &ClaimRequest) -> Result<Vec<Claimed>, Failure> {
    let query = match &request.scope {
        Scope::Queue(queue) => sqlx::query(include_str!("../sql/claim.sql")).bind(queue.as_str()),
        Scope::Job(job) => sqlx::query(include_str!("../sql/claim_job.sql")).bind(job.as_uuid()),
    };
    let query = query.bind(tx.given()).bind(i64::from(request.limit));
    let rows = tx.locked(query).await?;
    let (mut claimed, mut batch) = (Vec::with_capacity(rows.len()), Batch::default());
    for found in &rows {
        match row::run(found) {
            Ok(run) => {
                let changes = decide::claim(run, request.owner, request.lease_for, tx.now())?;
                let (job, generation) = (changes.run.job, changes.run.generation);
                claimed.push(Claimed { job, generation });
                batch.add(Standing::Living, changes);
            }
            Err(error) => {
                let job = row::Columns::new(found, "the run").job()?;
                set_aside(tx, job, &error.to_string()).await?;
            }
        }
    }
    batch.save(tx).await?;
    Ok(claimed)
}
