//! Schedules.

use koinon_schedule::Cadence;
use koinon_store::Schedule;
use koinon_store::row::{AuthorityDocument, LimitsDocument, json, micros};

use super::instant::Instant;
use crate::tx::Query;

/// Adds the arguments of a new schedule.
pub(crate) fn bind_schedule<'q>(query: Query<'q>, schedule: &Schedule) -> Query<'q> {
    let (cron, every_us) = match &schedule.cadence {
        Cadence::Cron(cron) => (Some(cron), None),
        Cadence::Every(every) => (None, Some(micros(every.interval()))),
    };
    let template = &schedule.template;
    let authority = template.authority.as_ref().map(AuthorityDocument::from);
    query
        .bind(schedule.id.as_uuid())
        .bind(schedule.tenant.to_string())
        .bind(schedule.name.to_string())
        .bind(cron.map(|cron| cron.expression().to_owned()))
        .bind(cron.map(|cron| cron.zone().to_owned()))
        .bind(every_us)
        .bind(schedule.missed.as_str())
        .bind(template.project.to_string())
        .bind(template.kind.to_string())
        .bind(template.queue.to_string())
        .bind(i64::from(template.priority.get()))
        .bind(template.payload.clone())
        .bind(authority.as_ref().map(json))
        .bind(json(&LimitsDocument::from(template.limits)))
        .bind(i64::from(template.max_attempts))
        .bind(Instant(schedule.added_at))
        .bind(schedule.next_at.map(Instant))
}

/// Adds the arguments of how a schedule stands.
pub(crate) fn bind_schedule_update<'q>(query: Query<'q>, schedule: &Schedule) -> Query<'q> {
    query
        .bind(schedule.id.as_uuid())
        .bind(schedule.paused_at.map(Instant))
        .bind(schedule.next_at.map(Instant))
        .bind(schedule.last.map(|last| Instant(last.at)))
        .bind(schedule.last.map(|last| last.job.as_uuid()))
}
