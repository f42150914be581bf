//! A new job.

use std::collections::BTreeMap;

use koinon_budget::Balance;
use koinon_domain::{Attempt, EventName, EventSeq, Generation, State, Timestamp};

use super::Changes;
use crate::{JobSpec, NewJob, Run, Streaks, Warned};

/// The rows of a new job.
#[must_use]
pub fn submit(job: NewJob, now: Timestamp) -> (JobSpec, Changes) {
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
        limits: job.limits,
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
        limits: job.limits,
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
