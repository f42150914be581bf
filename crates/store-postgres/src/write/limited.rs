//! What a claim may take of a queue of which only so many jobs may run at once (ADR 0026).
//!
//! Nothing is counted up or down: whoever decides counts what is held. Claims of one queue decide one after
//! another, and each sees what the one before has made durable, because the lock is taken by a statement
//! before the one that counts.

use koinon_domain::{QueueName, TenantId};
use koinon_store::{ClaimRequest, Running, Scope};

use super::claim::{claim_of, ready};
use crate::error::Failure;
use crate::row::{self, Columns};
use crate::store::Shared;
use crate::tx::{Query, Tx};

/// The statement of a claim under limits; `None` if there is no place.
pub(super) async fn limited<'q>(
    tx: &mut Tx<'_>,
    shared: &Shared,
    request: &ClaimRequest,
) -> Result<Option<Query<'q>>, Failure> {
    let limits = request.running;
    match &request.scope {
        Scope::Queue(queue) => {
            let running = running_alone(tx, queue.as_str()).await?;
            let limit = request.limit.min(limits.places(&running));
            Ok(match limits.per_tenant {
                _ if limit == 0 => return Ok(None),
                None => Some(ready(tx, shared, request, limit)),
                Some(per_tenant) => {
                    let query = claim_of!("../sql/claim_by_tenant.sql", tx, request)
                        .bind(queue.as_str().to_owned())
                        .bind(i64::from(limit))
                        .bind(i64::from(per_tenant))
                        .bind(row::held_by_tenant(&running));
                    Some(query)
                }
            })
        }
        Scope::Job(job) => {
            let query = sqlx::query(include_str!("../sql/queue_of_job.sql")).bind(job.as_uuid());
            let Some(found) = tx.first(query).await? else { return Ok(None) };
            let found = Columns::new(&found, "the run");
            let queue = found.text("queue", QueueName::try_new)?;
            let tenant = found.text("tenant", TenantId::try_new)?;
            let running = running_alone(tx, queue.as_str()).await?;
            if !limits.admit(&running, &tenant) {
                return Ok(None);
            }
            Ok(Some(ready(tx, shared, request, request.limit)))
        }
    }
}

/// What runs, once no other claim of the queue decides.
async fn running_alone(tx: &mut Tx<'_>, queue: &str) -> Result<Running, Failure> {
    tx.all(sqlx::query(include_str!("../sql/lock_queue.sql")).bind(queue)).await?;
    let query = sqlx::query(include_str!("../sql/running.sql")).bind(queue);
    Ok(row::running(&tx.all(query).await?)?)
}
