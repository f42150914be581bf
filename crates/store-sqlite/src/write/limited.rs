//! What a claim may take of a queue of which only so many jobs may run at once (ADR 0026).
//!
//! Nothing is counted up or down: whoever decides counts what is held, under the writer's lock.

use koinon_domain::{QueueName, TenantId};
use koinon_store::{ClaimRequest, Running, Scope};

use super::claim::ready;
use crate::error::Failure;
use crate::row::{self, Columns};
use crate::statement::query;
use crate::tx::Tx;
use crate::values::Row;

/// The rows that a claim under limits may take.
pub(super) fn limited(tx: &mut Tx<'_>, request: &ClaimRequest) -> Result<Vec<Row>, Failure> {
    let limits = request.running;
    match &request.scope {
        Scope::Queue(queue) => {
            let running = running(tx, queue.as_str())?;
            let limit = request.limit.min(limits.places(&running));
            let query = match limits.per_tenant {
                _ if limit == 0 => return Ok(Vec::new()),
                None => ready(tx, &request.scope, limit),
                Some(per_tenant) => query(include_str!("../sql/claim_by_tenant.sql"))
                    .bind(queue.to_string())
                    .bind(tx.now().as_micros())
                    .bind(i64::from(limit))
                    .bind(i64::from(per_tenant))
                    .bind(row::held_by_tenant(&running)),
            };
            tx.all(&query)
        }
        Scope::Job(job) => {
            let query = query(include_str!("../sql/queue_of_job.sql")).bind(job.as_uuid());
            let Some(found) = tx.first(&query)? else { return Ok(Vec::new()) };
            let found = Columns::new(&found, "the run");
            let queue = found.text("queue", QueueName::try_new)?;
            let tenant = found.text("tenant", TenantId::try_new)?;
            if !limits.admit(&running(tx, queue.as_str())?, &tenant) {
                return Ok(Vec::new());
            }
            let query = ready(tx, &request.scope, request.limit);
            tx.all(&query)
        }
    }
}

/// What runs.
fn running(tx: &mut Tx<'_>, queue: &str) -> Result<Running, Failure> {
    let query = query(include_str!("../sql/running.sql")).bind(queue.to_owned());
    Ok(row::running(&tx.all(&query)?)?)
}
