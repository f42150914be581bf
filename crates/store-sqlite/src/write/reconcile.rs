//! What an in-doubt call turned out to be.

use koinon_store::decide::{self, ReconcileDecision};
use koinon_store::{ReconcileAnswer, ReconcileRequest};

use super::locked;
use super::save::save;
use crate::error::Failure;
use crate::tx::Tx;

/// Ends an in-doubt hold of the tenant, once.
pub(crate) fn reconcile(
    tx: &mut Tx<'_>,
    request: &ReconcileRequest,
) -> Result<ReconcileAnswer, Failure> {
    let Some(found) = locked::hold(tx, request.hold)? else {
        return Ok(ReconcileAnswer::NotFound);
    };
    let job = found.job;
    let run = match locked::standing(tx, job)? {
        Some(run) if run.tenant == request.tenant => run,
        Some(_) | None => return Ok(ReconcileAnswer::NotFound),
    };
    let hold = found.hold?;
    let before = run.clone();
    match decide::reconcile(run, &hold, &request.outcome, found.is_answered, tx.now()) {
        ReconcileDecision::Apply(changes) => {
            save(tx, before, *changes);
            Ok(ReconcileAnswer::Reconciled(job))
        }
        ReconcileDecision::NotInDoubt => Ok(ReconcileAnswer::NotInDoubt),
    }
}
