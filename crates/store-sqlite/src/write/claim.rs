//! A worker takes jobs.

use koinon_store::{ClaimRequest, Claimed, Scope, decide};

use super::recover::set_aside;
use super::save::save;
use crate::error::Failure;
use crate::row;
use crate::statement::query;
use crate::tx::Tx;

/// Claims up to `limit` ready jobs. A row that cannot be read is set aside, so that it does not stand
/// in front of the others for ever.
pub(crate) fn claim(tx: &mut Tx<'_>, request: &ClaimRequest) -> Result<Vec<Claimed>, Failure> {
    let now = tx.now();
    let query = match &request.scope {
        Scope::Queue(queue) => query(include_str!("../sql/claim.sql")).bind(queue.to_string()),
        Scope::Job(job) => query(include_str!("../sql/claim_job.sql")).bind(job.as_uuid()),
    };
    let rows = tx.all(&query.bind(now.as_micros()).bind(i64::from(request.limit)))?;
    let mut claimed = Vec::new();
    for found in &rows {
        match row::run(found) {
            Ok(run) => {
                let before = run.clone();
                let changes = decide::claim(run, request.owner, request.lease_for, now)?;
                let (job, generation) = (changes.run.job, changes.run.generation);
                claimed.push(Claimed { job, generation });
                save(tx, before, changes);
            }
            Err(error) => {
                let job = row::Columns::new(found, "the run").job()?;
                set_aside(tx, job, &error.to_string())?;
            }
        }
    }
    Ok(claimed)
}
