//! The check that a job still runs on somebody's behalf.

use koinon_retry::Class;
use koinon_store::JobSpec;

use crate::Failure;

/// Checks the authority that was stored at the submission. A job without one never runs under a
/// broader identity.
pub(super) fn check(spec: &JobSpec) -> Result<(), Failure> {
    match &spec.authority {
        None => {
            let message = "nobody could be proven to have asked for this job";
            Err(Failure::new(Class::UnresolvedAuthority, message))
        }
        Some(authority) if !authority.covers(&spec.tenant) => {
            let message = "the job's authority belongs to another tenant";
            Err(Failure::new(Class::UnresolvedAuthority, message))
        }
        Some(_) => Ok(()),
    }
}
