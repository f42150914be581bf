//! A new job.

use std::collections::BTreeMap;

use koinon_budget::Balance;
use koinon_domain::{Attempt, Authority, EventName, EventSeq, Generation, State, Timestamp};

use super::Changes;
use crate::{Error, JobSpec, NewJob, Run, Streaks, Submission, Warned};

/// The most bytes that a text of an authority has.
const AUTHORITY_BYTES: usize = 500;

/// Whether submissions can be stored as they are. Their authority decides who may do what, so it is not
/// changed into one that fits.
///
/// # Errors
///
/// [`Error::Invalid`] if a text of an authority is too long or has a control character.
pub fn check(submissions: &[Submission]) -> Result<(), Error> {
    let mut authorities = submissions.iter().filter_map(|one| one.job.authority.as_ref());
    if authorities.all(is_storable) {
        return Ok(());
    }
    Err(not_storable())
}

pub(super) fn not_storable() -> Error {
    Error::Invalid(format!(
        "a text of the authority has control characters, or more than {AUTHORITY_BYTES} bytes"
    ))
}

pub(super) fn is_storable(authority: &Authority) -> bool {
    let revisions = authority.model_revisions.iter().flat_map(|(model, one)| [model, one]);
    let mut texts = std::iter::once(&authority.principal)
        .chain(&authority.credential)
        .chain(&authority.scope)
        .chain(revisions);
    texts.all(|text| text.len() <= AUTHORITY_BYTES && !text.chars().any(char::is_control))
}

/// The rows of a new job.
#[must_use]
pub fn submit(job: NewJob, now: Timestamp) -> (JobSpec, Changes) {
    let limits = job.limits.countable();
    let run = Run {
        job: job.id,
        tenant: job.tenant.clone(),
        queue: job.queue.clone(),
        priority: job.priority,
        state: State::Queued,
        generation: Generation::ZERO,
        attempt: Attempt::ZERO,
        max_attempts: job.max_attempts.max(1),
        ready_at: now,
        lease: None,
        streaks: Streaks::default(),
        event_seq: EventSeq::ZERO,
        last_commit: None,
        limits,
        balance: Balance::default(),
        open_holds: 0,
        warned: Warned::default(),
        progress: None,
        failed: None,
        set_aside_at: None,
        manifest: None,
        ended_at: None,
    };
    let spec = JobSpec {
        id: job.id,
        tenant: job.tenant,
        project: job.project,
        kind: job.kind,
        queue: job.queue,
        identity: job.identity,
        priority: job.priority,
        payload: job.payload,
        authority: job.authority,
        limits,
        max_attempts: job.max_attempts.max(1),
        submitted_at: now,
    };
    let mut changes = Changes::new(run);
    changes.push(now, EventName::Submitted, None, BTreeMap::new());
    if let Some(submitted) = changes.events.last_mut() {
        submitted.to = Some(State::Queued);
    }
    (spec, changes)
}
