//! Requests from outside the worker.

use koinon_domain::{JobId, TenantId};
use koinon_store::decide::{self, ControlDecision};
use koinon_store::{ControlAnswer, ControlRequest, Controlled};

use super::locked;
use super::save::save;
use crate::error::Failure;
use crate::tx::Tx;

/// A request to steer a job.
#[derive(Debug, Clone)]
pub(crate) struct Steer {
    pub(crate) tenant: TenantId,
    pub(crate) job: JobId,
    pub(crate) request: ControlRequest,
}

/// Steers a job of the tenant.
pub(crate) fn control(tx: &mut Tx<'_>, steer: &Steer) -> Result<ControlAnswer, Failure> {
    let run = match locked::standing(tx, steer.job)? {
        Some(run) if run.tenant == steer.tenant => run,
        Some(_) | None => return Ok(ControlAnswer::NotFound),
    };
    let before = run.clone();
    Ok(match decide::control(run, steer.request, tx.now())? {
        ControlDecision::Apply(changes) => {
            let state = changes.run.state;
            save(tx, before, *changes);
            ControlAnswer::Done(Controlled { state, changed: true })
        }
        ControlDecision::Already(state) => {
            ControlAnswer::Done(Controlled { state, changed: false })
        }
        ControlDecision::Refused(refusal) => ControlAnswer::Refused(refusal),
    })
}
