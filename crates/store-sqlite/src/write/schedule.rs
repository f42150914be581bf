//! Schedules are added, steered, removed and fired.

use koinon_domain::{ScheduleName, TenantId};
use koinon_store::decide::{self, Ticked};
use koinon_store::{
    Added, Error, Fired, FiredAll, LastTick, NewSchedule, Schedule, ScheduleControl, Submitted,
};
use uuid::Uuid;

use super::submit;
use crate::error::Failure;
use crate::row::{self, Columns};
use crate::statement::query;
use crate::tx::Tx;

/// A tenant's name for a schedule.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub(crate) tenant: TenantId,
    pub(crate) name: ScheduleName,
}

/// A request to steer a schedule.
#[derive(Debug, Clone)]
pub(crate) struct SteerSchedule {
    pub(crate) named: Named,
    pub(crate) request: ScheduleControl,
}

/// Adds a schedule, unless there is one of its name.
pub(crate) fn add_schedule(tx: &mut Tx<'_>, new: &NewSchedule) -> Result<Added, Failure> {
    let schedule = decide::schedule(new.clone(), tx.now());
    let insert = query(include_str!("../sql/insert_schedule.sql"));
    if tx.write_returning(&row::bind_schedule(insert, &schedule))?.is_some() {
        return Ok(Added::Added(Box::new(schedule)));
    }
    let named = Named { tenant: new.tenant.clone(), name: new.name.clone() };
    let missing = || Error::Corrupt { what: format!("schedule {} is and is not there", new.name) };
    Ok(Added::Exists(Box::new(found(tx, &named)?.ok_or_else(missing)?)))
}

fn found(tx: &mut Tx<'_>, named: &Named) -> Result<Option<Schedule>, Failure> {
    let query = query(include_str!("../sql/schedule.sql"))
        .bind(named.tenant.to_string())
        .bind(named.name.to_string());
    Ok(tx.first(&query)?.as_ref().map(row::schedule).transpose()?)
}

/// Steers a schedule of the tenant.
pub(crate) fn control_schedule(
    tx: &mut Tx<'_>,
    steer: &SteerSchedule,
) -> Result<Option<Schedule>, Failure> {
    let Some(schedule) = found(tx, &steer.named)? else { return Ok(None) };
    match decide::control_schedule(schedule.clone(), steer.request, tx.now()) {
        Some(changed) => {
            save(tx, &changed)?;
            Ok(Some(changed))
        }
        None => Ok(Some(schedule)),
    }
}

fn save(tx: &mut Tx<'_>, schedule: &Schedule) -> Result<(), Failure> {
    let update = query(include_str!("../sql/update_schedule.sql"));
    tx.write(&row::bind_schedule_update(update, schedule))
}

/// Removes a schedule of the tenant.
pub(crate) fn remove_schedule(tx: &mut Tx<'_>, named: &Named) -> Result<bool, Failure> {
    let delete = query(include_str!("../sql/delete_schedule.sql"))
        .bind(named.tenant.to_string())
        .bind(named.name.to_string());
    Ok(tx.write_returning(&delete)?.is_some())
}

/// Makes the jobs of ticks that are due. A schedule that cannot be read is set aside, so that it does not
/// stand in front of the others for ever.
pub(crate) fn fire_schedules(tx: &mut Tx<'_>, limit: &u32) -> Result<FiredAll, Failure> {
    let due = query(include_str!("../sql/fire_schedules.sql"))
        .bind(tx.now().as_micros())
        .bind(i64::from(*limit));
    let rows = tx.all(&due)?;
    let (mut fired, mut schedules) = (FiredAll::default(), Vec::with_capacity(rows.len()));
    for found in &rows {
        match row::schedule(found) {
            Ok(schedule) => schedules.push(schedule),
            Err(error) => {
                let row = Columns::new(found, "a schedule");
                let aside = query(include_str!("../sql/set_schedule_aside.sql"))
                    .bind(row.get::<Uuid>("schedule_id")?)
                    .bind(tx.now().as_micros());
                tx.write(&aside)?;
                fired.set_aside.push((row.get("name")?, error.to_string()));
            }
        }
    }
    let ticked = decide::tick(schedules, tx.now());
    let submissions = ticked.iter().flat_map(|one| one.jobs.iter().map(|(_, job)| job.clone()));
    let submissions: Vec<_> = submissions.collect();
    let mut submitted = submit::submit_in(tx, &submissions)?.into_iter();
    for one in ticked {
        save_ticked(tx, one, &mut submitted, &mut fired)?;
    }
    Ok(fired)
}

/// Moves a schedule on whose jobs were submitted.
fn save_ticked(
    tx: &mut Tx<'_>,
    ticked: Ticked,
    submitted: &mut impl Iterator<Item = Submitted>,
    fired: &mut FiredAll,
) -> Result<(), Failure> {
    let Ticked { mut schedule, jobs, skipped } = ticked;
    let (tenant, name) = (schedule.tenant.clone(), schedule.name.clone());
    for ((tick, _), job) in jobs.into_iter().zip(submitted) {
        schedule.last = Some(LastTick { at: tick, job: job.job() });
        fired.jobs.push(Fired { tenant: tenant.clone(), name: name.clone(), tick, job });
    }
    if skipped {
        fired.skipped.push((tenant, name));
    }
    save(tx, &schedule)
}
