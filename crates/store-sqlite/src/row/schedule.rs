//! Schedules.

use koinon_domain::Timestamp;
use koinon_schedule::Cadence;
use koinon_store::Schedule;
use koinon_store::row::{AuthorityDocument, LimitsDocument, json, micros};

use crate::statement::Query;

/// Adds the arguments of a new schedule.
pub(crate) fn bind_schedule<'a>(query: Query<'a>, schedule: &'a Schedule) -> Query<'a> {
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
        .bind(schedule.added_at.as_micros())
        .bind(schedule.next_at.map(Timestamp::as_micros))
}

/// Adds the arguments of how a schedule stands.
pub(crate) fn bind_schedule_update<'a>(query: Query<'a>, schedule: &'a Schedule) -> Query<'a> {
    query
        .bind(schedule.id.as_uuid())
        .bind(schedule.paused_at.map(Timestamp::as_micros))
        .bind(schedule.next_at.map(Timestamp::as_micros))
        .bind(schedule.last.map(|last| last.at.as_micros()))
        .bind(schedule.last.map(|last| last.job.as_uuid()))
}
