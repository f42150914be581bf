//! The end of a claim.

use koinon_domain::{Cause, ErrorCode, Failed, State, Timestamp, clean};

use super::{Changes, holds};
use crate::{End, Error, Hold, Manifest};

/// Ends the claim, or moves it on to `pausing`, as the state machine says.
pub(crate) fn end(
    changes: &mut Changes,
    end: End,
    open: &[Hold],
    now: Timestamp,
) -> Result<(), Error> {
    match end {
        End::Succeeded(manifest) => {
            if finish(changes, Cause::Succeeded, None, open, now)? == State::Succeeded {
                changes.run.manifest = Some(cleaned(manifest));
                changes.run.failed = None;
            }
        }
        End::Failed(failed) => {
            finish(changes, Cause::Failed, Some(failed), open, now)?;
        }
        End::Retryable { failed, wait } => {
            if finish(changes, Cause::Retryable, Some(failed), open, now)? == State::RetryWait {
                changes.run.ready_at = now.after(wait);
            }
        }
        End::HandedBack { wait, interrupted } => {
            let reason = interrupted
                .then(|| Failed::new(ErrorCode::INTERRUPTED, "the worker was told to stop"));
            // A hand back judges nothing: the reason is told, and a pause keeps the one that it has.
            let before = changes.run.failed.take();
            let reached = finish(changes, Cause::HandedBack, reason, open, now)?;
            changes.run.failed = before.filter(|_| reached == State::Paused);
            if reached == State::Queued {
                changes.run.ready_at = now.after(wait);
            }
            changes.run.streaks.interruptions += u32::from(interrupted);
        }
        End::BudgetExhausted(failed) => exhausted(changes, failed, now)?,
        End::Flushed => {
            finish(changes, Cause::Flushed, None, open, now)?;
        }
    }
    Ok(())
}

/// The manifest without characters that some databases refuse.
fn cleaned(mut manifest: Manifest) -> Manifest {
    for artifact in &mut manifest.artifacts {
        artifact.name = clean(&artifact.name, 500);
        artifact.media_type = clean(&artifact.media_type, 200);
    }
    manifest
}

/// The budget is used up: what runs is finished first, so the claim goes on. A job that was asked to
/// stop in the meantime does that.
fn exhausted(changes: &mut Changes, failed: Failed, now: Timestamp) -> Result<(), Error> {
    match changes.run.state {
        State::Leased | State::Running => {
            let detail = [
                ("error_code", failed.code.to_string()),
                ("error_summary", failed.summary.to_string()),
            ];
            changes.transition(now, Cause::BudgetExhausted, detail)?;
            changes.run.failed = Some(failed);
        }
        State::Pausing => changes.run.failed = Some(failed),
        State::Cancelling
        | State::Queued
        | State::RetryWait
        | State::Paused
        | State::Succeeded
        | State::Failed
        | State::Cancelled => {}
    }
    Ok(())
}

fn finish(
    changes: &mut Changes,
    cause: Cause,
    failed: Option<Failed>,
    open: &[Hold],
    now: Timestamp,
) -> Result<State, Error> {
    holds::doubt_all(changes, open, now)?;
    let reached = match &failed {
        Some(failed) => {
            let detail = [
                ("error_code", failed.code.to_string()),
                ("error_summary", failed.summary.to_string()),
            ];
            changes.transition(now, cause, detail)?
        }
        None => changes.transition(now, cause, [])?,
    };
    let run = &mut changes.run;
    run.lease = None;
    run.open_holds = 0;
    if failed.is_some() && reached != State::Cancelled {
        run.failed = failed;
    }
    match reached {
        State::Queued | State::Paused => run.attempt = run.attempt.given_back(),
        State::Cancelled => run.failed = None,
        State::Leased
        | State::Running
        | State::RetryWait
        | State::Pausing
        | State::Cancelling
        | State::Succeeded
        | State::Failed => {}
    }
    Ok(reached)
}
