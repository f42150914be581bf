//! A worker takes a job.

use std::time::Duration;

use koinon_domain::{Cause, JobStateError, Timestamp, WorkerId};

use super::Changes;
use crate::{Lease, Run};

/// The row of a ready job under a new claim.
///
/// # Errors
///
/// [`JobStateError`] if the job is not queued.
pub fn claim(
    run: Run,
    owner: WorkerId,
    lease_for: Duration,
    now: Timestamp,
) -> Result<Changes, JobStateError> {
    let mut changes = Changes::new(run);
    let run = &mut changes.run;
    run.generation = run.generation.next();
    run.attempt = run.attempt.next();
    run.lease = Some(Lease { owner, expires_at: now.after(lease_for), counted_to: now });
    run.streaks.checkpointed = false;
    let attempt = run.attempt.to_string();
    changes.transition(
        now,
        Cause::Claimed,
        [("attempt", attempt), ("worker", owner.to_string())],
    )?;
    Ok(changes)
}
