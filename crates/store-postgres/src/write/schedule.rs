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
use crate::store::Shared;
use crate::tx::{Tx, in_tx};

/// Adds a schedule, unless there is one of its name.
pub(crate) async fn add_schedule(shared: &Shared, new: NewSchedule) -> Result<Added, Error> {
    // Each further turn needs somebody who added one of that name and somebody who removed it meanwhile.
    loop {
        if let Some(added) = in_tx!(shared, &shared.pool, tx => add(&mut tx, &new))? {
            return Ok(added);
        }
    }
}

async fn add(tx: &mut Tx<'_>, new: &NewSchedule) -> Result<Option<Added>, Failure> {
    tx.timed(sqlx::query(include_str!("../sql/now.sql")).bind(tx.given())).await?;
    let schedule = decide::schedule(new.clone(), tx.now());
    let insert = sqlx::query(include_str!("../sql/insert_schedule.sql"));
    if tx.write_returning(row::bind_schedule(insert, &schedule)).await?.is_some() {
        return Ok(Some(Added::Added(Box::new(schedule))));
    }
    let found = locked(tx, &new.tenant, &new.name).await?;
    Ok(found.map(|found| Added::Exists(Box::new(found))))
}

async fn locked(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    name: &ScheduleName,
) -> Result<Option<Schedule>, Failure> {
    let query = sqlx::query(include_str!("../sql/lock_schedule.sql"))
        .bind(tenant.to_string())
        .bind(name.to_string())
        .bind(tx.given());
    Ok(tx.timed(query).await?.first().map(row::schedule).transpose()?)
}

/// Steers a schedule of the tenant.
pub(crate) async fn control_schedule(
    shared: &Shared,
    tenant: &TenantId,
    name: &ScheduleName,
    request: ScheduleControl,
) -> Result<Option<Schedule>, Error> {
    Ok(in_tx!(shared, &shared.pool, tx => control(&mut tx, tenant, name, request))?)
}

async fn control(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    name: &ScheduleName,
    request: ScheduleControl,
) -> Result<Option<Schedule>, Failure> {
    let Some(schedule) = locked(tx, tenant, name).await? else { return Ok(None) };
    match decide::control_schedule(schedule.clone(), request, tx.now()) {
        Some(changed) => {
            save(tx, &changed).await?;
            Ok(Some(changed))
        }
        None => Ok(Some(schedule)),
    }
}

async fn save(tx: &mut Tx<'_>, schedule: &Schedule) -> Result<(), Failure> {
    let update = sqlx::query(include_str!("../sql/update_schedule.sql"));
    tx.write(row::bind_schedule_update(update, schedule)).await
}

/// Removes a schedule of the tenant.
pub(crate) async fn remove_schedule(
    shared: &Shared,
    tenant: &TenantId,
    name: &ScheduleName,
) -> Result<bool, Error> {
    Ok(in_tx!(shared, &shared.pool, tx => remove(&mut tx, tenant, name))?)
}

async fn remove(tx: &mut Tx<'_>, tenant: &TenantId, name: &ScheduleName) -> Result<bool, Failure> {
    let delete = sqlx::query(include_str!("../sql/delete_schedule.sql"))
        .bind(tenant.to_string())
        .bind(name.to_string());
    Ok(tx.write_returning(delete).await?.is_some())
}

/// Makes the jobs of ticks that are due. A schedule that cannot be read is set aside, so that it does not
/// stand in front of the others for ever.
pub(crate) async fn fire_schedules(shared: &Shared, limit: u32) -> Result<FiredAll, Error> {
    Ok(in_tx!(shared, &shared.pool, tx => fire(&mut tx, limit))?)
}

async fn fire(tx: &mut Tx<'_>, limit: u32) -> Result<FiredAll, Failure> {
    let query = sqlx::query(include_str!("../sql/fire_schedules.sql"))
        .bind(tx.given())
        .bind(i64::from(limit));
    let rows = tx.timed(query).await?;
    let (mut fired, mut schedules) = (FiredAll::default(), Vec::with_capacity(rows.len()));
    for found in &rows {
        match row::schedule(found) {
            Ok(schedule) => schedules.push(schedule),
            Err(error) => {
                let row = Columns::new(found, "a schedule");
                let aside = sqlx::query(include_str!("../sql/set_schedule_aside.sql"))
                    .bind(row.get::<Uuid>("schedule_id")?)
                    .bind(tx.now_at());
                tx.write(aside).await?;
                fired.set_aside.push((row.get("name")?, error.to_string()));
            }
        }
    }
    let ticked = decide::tick(schedules, tx.now());
    let submissions = ticked.iter().flat_map(|one| one.jobs.iter().map(|(_, job)| job.clone()));
    let submissions = submissions.collect();
    let mut submitted = submit::submit_in(tx, &submissions).await?.into_iter();
    for one in ticked {
        save_ticked(tx, one, &mut submitted, &mut fired).await?;
    }
    Ok(fired)
}

/// Moves a schedule on whose jobs were submitted.
async fn save_ticked(
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
    save(tx, &schedule).await
}
