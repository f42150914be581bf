//! Requests from outside the worker.

use koinon_domain::{JobId, TenantId};
use koinon_store::decide::{self, ControlDecision};
use koinon_store::{ControlAnswer, ControlRequest, Controlled, Error};

use super::locked;
use super::save::Batch;
use crate::error::Failure;
use crate::store::Shared;
use crate::tx::{Tx, in_tx};

/// A request to steer a job.
#[derive(Debug, Clone)]
pub(crate) struct Steer {
    pub(crate) tenant: TenantId,
    pub(crate) job: JobId,
    pub(crate) request: ControlRequest,
}

/// Steers a job of the tenant.
pub(crate) async fn control(shared: &Shared, steer: &Steer) -> Result<ControlAnswer, Error> {
    let answer = in_tx!(shared, &shared.pool, tx => apply(&mut tx, steer))?;
    if matches!(&answer, ControlAnswer::Done(controlled) if controlled.changed) {
        // A job that is freed is ready since whenever it was.
        shared.bounds.forget();
    }
    Ok(answer)
}

async fn apply(tx: &mut Tx<'_>, steer: &Steer) -> Result<ControlAnswer, Failure> {
    let run = match locked::standing(tx, steer.job).await? {
        Some(run) if run.tenant == steer.tenant => run,
        Some(_) | None => return Ok(ControlAnswer::NotFound),
    };
    let before = run.clone();
    Ok(match decide::control(run, steer.request, tx.now())? {
        ControlDecision::Apply(changes) => {
            let state = changes.run.state;
            let mut batch = Batch::default();
            batch.add(before, *changes);
            batch.save(tx).await?;
            ControlAnswer::Done(Controlled { state, changed: true })
        }
        ControlDecision::Already(state) => {
            ControlAnswer::Done(Controlled { state, changed: false })
        }
        ControlDecision::Refused(refusal) => ControlAnswer::Refused(refusal),
    })
}
