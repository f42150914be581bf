//! Schedules.

use koinon_domain::{JobId, Kind, ProjectId, QueueName, ScheduleId, ScheduleName, TenantId};
use koinon_schedule::{Cadence, Cron, Every};
use uuid::Uuid;

use super::document::LimitsDocument;
use super::job::{authority, priority};
use super::{Columns, Fields};
use crate::{Error, LastTick, Schedule, Template};

/// The schedule of a row. What cannot be read is named.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn schedule<F: Fields>(row: &F) -> Result<Schedule, Error> {
    let row = Columns::new(row, "a schedule");
    let name = row.text("name", ScheduleName::try_new)?;
    of(&row, name.clone()).map_err(|error| match error {
        Error::Corrupt { what } => Error::Corrupt { what: format!("{what} (its name is {name})") },
        other => other,
    })
}

fn of<F: Fields>(row: &Columns<'_, F>, name: ScheduleName) -> Result<Schedule, Error> {
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

fn cadence<F: Fields>(row: &Columns<'_, F>) -> Result<Cadence, Error> {
    if let Some(every_us) = row.some_number("every_us")? {
        let every = Every::try_new(std::time::Duration::from_micros(every_us));
        return Ok(Cadence::Every(row.made("every_us", every)?));
    }
    let (expression, zone): (&str, &str) = (row.get("cron")?, row.get("zone")?);
    Ok(Cadence::Cron(row.made("cron", Cron::try_new(expression, zone))?))
}

fn template<F: Fields>(row: &Columns<'_, F>) -> Result<Template, Error> {
    Ok(Template {
        project: row.text("project", ProjectId::try_new)?,
        kind: row.text("kind", Kind::try_new)?,
        queue: row.text("queue", QueueName::try_new)?,
        priority: priority(row)?,
        payload: row.get("payload")?,
        authority: authority(row)?,
        limits: row.document::<LimitsDocument>("limits")?.into(),
        max_attempts: row.number("max_attempts")?,
    })
}
