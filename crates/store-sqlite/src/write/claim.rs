//! A worker takes jobs.

use koinon_store::{ClaimRequest, Claimed, Scope, decide};

use super::limited::limited;
use super::recover::set_aside;
use super::save::save;
use crate::error::Failure;
use crate::row;
use crate::statement::{Query, query};
use crate::tx::Tx;

/// Claims up to `limit` ready jobs. A row that cannot be read is set aside, so that it does not stand
/// in front of the others for ever.
pub(crate) fn claim(tx: &mut Tx<'_>, request: &ClaimRequest) -> Result<Vec<Claimed>, Failure> {
    let now = tx.now();
    let rows = if request.running.is_none() {
        tx.all(&ready(tx, &request.scope, request.limit))?
    } else {
        limited(tx, request)?
    };
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

/// Up to `limit` ready jobs, whatever runs.
pub(super) fn ready(tx: &Tx<'_>, scope: &Scope, limit: u32) -> Query {
    let query = match scope {
        Scope::Queue(queue) => query(include_str!("../sql/claim.sql")).bind(queue.to_string()),
        Scope::Job(job) => query(include_str!("../sql/claim_job.sql")).bind(job.as_uuid()),
    };
    query.bind(tx.now().as_micros()).bind(i64::from(limit))
}
