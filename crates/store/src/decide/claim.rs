//! A worker takes a job.

use koinon_domain::{Cause, JobStateError, Timestamp};

use super::Changes;
use crate::{ClaimRequest, Lease, Run};

/// The row of a ready job under a new claim, and under way if it starts with that.
///
/// # Errors
///
/// [`JobStateError`] if the job is not queued.
pub fn claim(
    run: Run,
    request: &ClaimRequest,
    starts: bool,
    now: Timestamp,
) -> Result<Changes, JobStateError> {
    let owner = request.owner;
    let mut changes = Changes::new(run);
    let run = &mut changes.run;
    run.generation = run.generation.next();
    run.attempt = run.attempt.next();
    run.lease = Some(Lease { owner, expires_at: now.after(request.lease_for), counted_to: now });
    run.streaks.checkpointed = false;
    let attempt = run.attempt.to_string();
    changes.transition(
        now,
        Cause::Claimed,
        [("attempt", attempt), ("worker", owner.to_string())],
    )?;
    if starts {
        changes.start(now)?;
    }
    Ok(changes)
}
