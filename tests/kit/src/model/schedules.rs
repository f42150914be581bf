//! Schedules.

use async_trait::async_trait;
use koinon_domain::{ScheduleName, TenantId};
use koinon_store::decide::{self, Ticked};
use koinon_store::{
    Added, Error, Fired, FiredAll, Hint, LastTick, NewSchedule, Schedule, ScheduleControl,
    ScheduleStore,
};

use super::ModelStore;
use super::jobs::submit;

#[async_trait]
impl ScheduleStore for ModelStore {
    async fn add_schedule(&self, new: NewSchedule) -> Result<Added, Error> {
        decide::check_schedule(&new)?;
        let (mut rows, now) = self.begin();
        let key = (new.tenant.clone(), new.name.clone());
        if let Some(found) = rows.schedules.get(&key) {
            return Ok(Added::Exists(Box::new(found.clone())));
        }
        let schedule = decide::schedule(new, now);
        rows.schedules.insert(key, schedule.clone());
        Ok(Added::Added(Box::new(schedule)))
    }

    async fn schedule(
        &self,
        tenant: &TenantId,
        name: &ScheduleName,
    ) -> Result<Option<Schedule>, Error> {
        Ok(self.rows().schedules.get(&(tenant.clone(), name.clone())).cloned())
    }

    async fn schedules(
        &self,
        tenant: &TenantId,
        after: Option<&ScheduleName>,
        limit: u32,
    ) -> Result<Vec<Result<Schedule, Error>>, Error> {
        let rows = self.rows();
        let of_tenant = rows.schedules.values().filter(|schedule| schedule.tenant == *tenant);
        let behind = of_tenant.filter(|schedule| after.is_none_or(|after| schedule.name > *after));
        Ok(behind.take(limit as usize).cloned().map(Ok).collect())
    }

    async fn control_schedule(
        &self,
        tenant: &TenantId,
        name: &ScheduleName,
        request: ScheduleControl,
    ) -> Result<Option<Schedule>, Error> {
        let (mut rows, now) = self.begin();
        let Some(found) = rows.schedules.get_mut(&(tenant.clone(), name.clone())) else {
            return Ok(None);
        };
        if let Some(changed) = decide::control_schedule(found.clone(), request, now) {
            *found = changed;
        }
        Ok(Some(found.clone()))
    }

    async fn remove_schedule(&self, tenant: &TenantId, name: &ScheduleName) -> Result<bool, Error> {
        let (mut rows, _) = self.begin();
        Ok(rows.schedules.remove(&(tenant.clone(), name.clone())).is_some())
    }

    async fn fire_schedules(&self, limit: u32) -> Result<FiredAll, Error> {
        let (mut rows, now) = self.begin();
        let is_due = |schedule: &&Schedule| schedule.next_at.is_some_and(|next_at| next_at <= now);
        let mut due: Vec<_> = rows.schedules.values().filter(is_due).cloned().collect();
        due.sort_by_key(|schedule| schedule.next_at);
        due.truncate(limit as usize);
        let mut fired = FiredAll::default();
        for Ticked { mut schedule, jobs, skipped } in decide::tick(due, now) {
            let key = (schedule.tenant.clone(), schedule.name.clone());
            let (ticks, jobs): (Vec<_>, Vec<_>) = jobs.into_iter().unzip();
            for (tick, job) in ticks.into_iter().zip(submit(&mut rows, jobs, now)?) {
                schedule.last = Some(LastTick { at: tick, job: job.job() });
                let (tenant, name) = key.clone();
                fired.jobs.push(Fired { tenant, name, tick, job });
            }
            if skipped {
                fired.skipped.push(key.clone());
            }
            rows.schedules.insert(key, schedule);
        }
        self.hint(Hint::of_fired(&fired));
        Ok(fired)
    }
}
