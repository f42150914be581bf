//! What an in-doubt call turned out to be.

use koinon_store::decide::{self, ReconcileDecision};
use koinon_store::{Error, ReconcileAnswer, ReconcileRequest};

use super::locked;
use super::save::Batch;
use crate::error::Failure;
use crate::store::Shared;
use crate::tx::{Tx, in_tx};

/// Ends an in-doubt hold of the tenant, once.
pub(crate) async fn reconcile(
    shared: &Shared,
    request: &ReconcileRequest,
) -> Result<ReconcileAnswer, Error> {
    Ok(in_tx!(shared, &shared.pool, tx => end(&mut tx, request))?)
}

async fn end(tx: &mut Tx<'_>, request: &ReconcileRequest) -> Result<ReconcileAnswer, Failure> {
    // Whose hold it is never changes; how it stands is read again once the job's row is locked.
    let Some(found) = locked::holds(tx, vec![request.hold]).await?.remove(&request.hold) else {
        return Ok(ReconcileAnswer::NotFound);
    };
    let run = match locked::standing(tx, found.job).await? {
        Some(run) if run.tenant == request.tenant => run,
        Some(_) | None => return Ok(ReconcileAnswer::NotFound),
    };
    let Some(found) = locked::holds(tx, vec![request.hold]).await?.remove(&request.hold) else {
        return Ok(ReconcileAnswer::NotFound);
    };
    let hold = found.hold?;
    let before = run.clone();
    match decide::reconcile(run, &hold, &request.outcome, found.is_answered, tx.now()) {
        ReconcileDecision::Apply(changes) => {
            let mut batch = Batch::default();
            batch.add(before, *changes);
            batch.save(tx).await?;
            Ok(ReconcileAnswer::Reconciled(found.job))
        }
        ReconcileDecision::NotInDoubt => Ok(ReconcileAnswer::NotInDoubt),
    }
}
