//! What time alone changes: waits that are over, and leases that have expired.

use std::time::Duration;

use koinon_domain::{Cause, ErrorCode, EventName, Failed, JobStateError, State, Timestamp};

use super::{Changes, end, holds};
use crate::{End, Error, Hold, Run};

/// So many lease losses without a new checkpoint between them fail a job.
pub const LOSSES_WITHOUT_CHECKPOINT_MAX: u32 = 20;

/// A job whose `retry_wait` is over.
///
/// # Errors
///
/// [`JobStateError`] if it does not wait for a retry.
pub fn due(run: Run, now: Timestamp) -> Result<Changes, JobStateError> {
    let mut changes = Changes::new(run);
    changes.transition(now, Cause::BackoffElapsed, [])?;
    Ok(changes)
}

/// A job whose lease has expired, taken from its worker under the next generation. `open` are its open
/// holds: they are in doubt from now on.
///
/// # Errors
///
/// [`Error::State`] if nobody holds it.
pub fn expired(run: Run, open: &[Hold], now: Timestamp) -> Result<Changes, Error> {
    let mut changes = Changes::new(run);
    changes.count_run_time(now);
    holds::doubt_all(&mut changes, open, now)?;
    let run = &mut changes.run;
    let lost_by = run.lease.map(|lease| lease.owner.to_string()).unwrap_or_default();
    run.generation = run.generation.next();
    run.lease = None;
    run.open_holds = 0;
    run.streaks.lease_losses = run.streaks.lease_losses.saturating_add(1);
    run.streaks.losses_without_checkpoint = run.streaks.losses_without_checkpoint.saturating_add(1);
    let spent = run.attempt.get() >= run.max_attempts
        || run.streaks.losses_without_checkpoint >= LOSSES_WITHOUT_CHECKPOINT_MAX;
    let cause = if spent { Cause::WorkerLost } else { Cause::LeaseLost };
    let reached = changes.transition(now, cause, [("worker", lost_by)])?;
    let run = &mut changes.run;
    match reached {
        State::Failed => {
            let summary = "the workers that ran this job were lost until its attempts were spent";
            run.failed = Some(Failed::new(ErrorCode::WORKER_LOST, summary));
        }
        State::Queued => run.ready_at = now,
        State::Paused => run.attempt = run.attempt.given_back(),
        State::Cancelled => run.failed = None,
        State::Leased
        | State::Running
        | State::RetryWait
        | State::Pausing
        | State::Cancelling
        | State::Succeeded => {}
    }
    Ok(changes)
}

/// A job whose row could not be recovered: recovery leaves it alone until somebody retries it.
#[must_use]
pub fn set_aside(run: Run, reason: &str, now: Timestamp) -> Changes {
    set_aside_in(Changes::new(run), reason, now)
}

/// A claim whose job cannot be read: it is given back, and set aside until somebody retries it.
///
/// # Errors
///
/// [`Error::State`] if nobody holds the job.
pub fn unreadable(run: Run, reason: &str, now: Timestamp) -> Result<Changes, Error> {
    let mut changes = Changes::new(run);
    let given_back = End::HandedBack { wait: Duration::ZERO, interrupted: false };
    end::end(&mut changes, given_back, &[], now)?;
    Ok(set_aside_in(changes, reason, now))
}

fn set_aside_in(mut changes: Changes, reason: &str, now: Timestamp) -> Changes {
    changes.run.set_aside_at = Some(now);
    let reason = koinon_domain::clean(reason, 500);
    changes.tell(now, EventName::SetAside, [("reason", reason)]);
    changes
}
