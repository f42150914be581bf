//! Schedules.

use koinon_domain::{
    Authority, JobId, Kind, ProjectId, QueueName, ScheduleId, ScheduleName, TenantId, Timestamp,
};
use koinon_schedule::{Cadence, Cron, Every};
use koinon_store::{Error, LastTick, Schedule, Template};
use uuid::Uuid;

use super::columns::Columns;
use super::document::{self, AuthorityDocument, LimitsDocument};
use super::job::priority;
use super::number::micros;
use crate::statement::Query;
use crate::values::Row;

/// The schedule of a row. What cannot be read is named.
pub(crate) fn schedule(row: &Row) -> Result<Schedule, Error> {
    let row = Columns::new(row, "a schedule");
    let name = row.text("name", ScheduleName::try_new)?;
    of(&row, name.clone()).map_err(|error| match error {
        Error::Corrupt { what } => Error::Corrupt { what: format!("{what} (its name is {name})") },
        other => other,
    })
}

fn of(row: &Columns<'_>, name: ScheduleName) -> Result<Schedule, Error> {
    let last_job: Option<Uuid> = row.get("last_job_id")?;
    let last_at = row.some_instant("last_tick_at")?;
    Ok(Schedule {
        id: ScheduleId::from_uuid(row.get("schedule_id")?),
        tenant: row.text("tenant", TenantId::try_new)?,
        name,
        cadence: cadence(row)?,
        missed: row.text("missed", str::parse)?,
        template: template(row)?,
        added_at: row.instant("added_at")?,
        paused_at: row.some_instant("paused_at")?,
        next_at: row.some_instant("next_at")?,
        last: last_at.zip(last_job).map(|(at, job)| LastTick { at, job: JobId::from_uuid(job) }),
    })
}

fn cadence(row: &Columns<'_>) -> Result<Cadence, Error> {
    if let Some(every_us) = row.some_number("every_us")? {
        let every = Every::try_new(std::time::Duration::from_micros(every_us));
        return Ok(Cadence::Every(row.made("every_us", every)?));
    }
    let (expression, zone): (&str, &str) = (row.get("cron")?, row.get("zone")?);
    Ok(Cadence::Cron(row.made("cron", Cron::try_new(expression, zone))?))
}

fn template(row: &Columns<'_>) -> Result<Template, Error> {
    let authority: Option<AuthorityDocument> = row.some_document("authority")?;
    let authority = authority.map(Authority::try_from).transpose();
    Ok(Template {
        project: row.text("project", ProjectId::try_new)?,
        kind: row.text("kind", Kind::try_new)?,
        queue: row.text("queue", QueueName::try_new)?,
        priority: priority(row)?,
        payload: row.get("payload")?,
        authority: row.made("authority", authority)?,
        limits: row.document::<LimitsDocument>("limits")?.into(),
        max_attempts: row.number("max_attempts")?,
    })
}

/// Adds the arguments of a new schedule.
pub(crate) fn bind_schedule(query: Query, schedule: &Schedule) -> Query {
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
        .bind(authority.as_ref().map(document::text))
        .bind(document::text(&LimitsDocument::from(template.limits)))
        .bind(i64::from(template.max_attempts))
        .bind(schedule.added_at.as_micros())
        .bind(schedule.next_at.map(Timestamp::as_micros))
}

/// Adds the arguments of how a schedule stands.
pub(crate) fn bind_schedule_update(query: Query, schedule: &Schedule) -> Query {
    query
        .bind(schedule.id.as_uuid())
        .bind(schedule.paused_at.map(Timestamp::as_micros))
        .bind(schedule.next_at.map(Timestamp::as_micros))
        .bind(schedule.last.map(|last| last.at.as_micros()))
        .bind(schedule.last.map(|last| last.job.as_uuid()))
}
