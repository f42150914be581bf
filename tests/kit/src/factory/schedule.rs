//! Schedules with valid defaults.

use std::time::Duration;

use koinon_domain::{ScheduleId, ScheduleName, TenantId};
use koinon_schedule::{Cadence, Cron, Every, Missed};
use koinon_store::{Clock, NewSchedule, Template};

use super::job;

/// A schedule that ticks every minute for the tenant `acme`, and handles missed ticks by `once`.
#[must_use]
pub fn schedule(name: &str, clock: &dyn Clock) -> NewSchedule {
    let job = job().build(clock).job;
    NewSchedule {
        id: ScheduleId::from_uuid(clock.uuid()),
        tenant: job.tenant,
        name: ScheduleName::try_new(name).unwrap(),
        cadence: every(Duration::from_mins(1)),
        missed: Missed::Once,
        template: Template {
            project: job.project,
            kind: job.kind,
            queue: job.queue,
            priority: job.priority,
            payload: job.payload,
            authority: job.authority,
            limits: job.limits,
            max_attempts: job.max_attempts,
        },
    }
}

/// A fixed interval.
#[must_use]
pub fn every(interval: Duration) -> Cadence {
    Cadence::Every(Every::try_new(interval).unwrap())
}

/// A cron expression in a zone.
#[must_use]
pub fn cron(expression: &str, zone: &str) -> Cadence {
    Cadence::Cron(Cron::try_new(expression, zone).unwrap())
}

/// Another tenant.
#[must_use]
pub fn tenant(name: &str) -> TenantId {
    TenantId::try_new(name).unwrap()
}
