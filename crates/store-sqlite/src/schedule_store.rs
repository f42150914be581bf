//! The port for schedules.

use async_trait::async_trait;
use koinon_domain::{ScheduleName, TenantId};
use koinon_store::{
    Added, Error, FiredAll, Hint, NewSchedule, Schedule, ScheduleControl, ScheduleStore, decide,
};

use crate::write::{Named, SteerSchedule};
use crate::writer::Request;
use crate::{SqliteStore, read};

#[async_trait]
impl ScheduleStore for SqliteStore {
    async fn add_schedule(&self, new: NewSchedule) -> Result<Added, Error> {
        decide::check_schedule(&new)?;
        self.write(Request::AddSchedule, new).await
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
        let named = Named { tenant: tenant.clone(), name: name.clone() };
        self.write(Request::ControlSchedule, SteerSchedule { named, request }).await
    }

    async fn remove_schedule(&self, tenant: &TenantId, name: &ScheduleName) -> Result<bool, Error> {
        let named = Named { tenant: tenant.clone(), name: name.clone() };
        self.write(Request::RemoveSchedule, named).await
    }

    async fn fire_schedules(&self, limit: u32) -> Result<FiredAll, Error> {
        let fired = self.write(Request::FireSchedules, limit).await?;
        self.hint(Hint::of_fired(&fired));
        Ok(fired)
    }
}
