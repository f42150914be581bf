//! The port for schedules.

use async_trait::async_trait;
use koinon_domain::{ScheduleName, TenantId};
use koinon_store::{
    Added, Error, FiredAll, Hint, NewSchedule, Schedule, ScheduleControl, ScheduleStore, decide,
};

use crate::{PostgresStore, read, write};

#[async_trait]
impl ScheduleStore for PostgresStore {
    async fn add_schedule(&self, new: NewSchedule) -> Result<Added, Error> {
        decide::check_schedule(&new)?;
        write::add_schedule(self.shared(), new).await
    }

    async fn schedule(
        &self,
        tenant: &TenantId,
        name: &ScheduleName,
    ) -> Result<Option<Schedule>, Error> {
        read::schedule(self, tenant, name).await
    }

    async fn schedules(
        &self,
        tenant: &TenantId,
        after: Option<&ScheduleName>,
        limit: u32,
    ) -> Result<Vec<Result<Schedule, Error>>, Error> {
        read::schedules(self, tenant, after, limit).await
    }

    async fn control_schedule(
        &self,
        tenant: &TenantId,
        name: &ScheduleName,
        request: ScheduleControl,
    ) -> Result<Option<Schedule>, Error> {
        write::control_schedule(self.shared(), tenant, name, request).await
    }

    async fn remove_schedule(&self, tenant: &TenantId, name: &ScheduleName) -> Result<bool, Error> {
        write::remove_schedule(self.shared(), tenant, name).await
    }

    async fn fire_schedules(&self, limit: u32) -> Result<FiredAll, Error> {
        let fired = write::fire_schedules(self.shared(), limit).await?;
        self.hinting().give(Hint::of_fired(&fired));
        Ok(fired)
    }
}
