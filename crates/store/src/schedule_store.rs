//! The port for schedules.

use std::fmt::Debug;

use async_trait::async_trait;
use koinon_domain::{ScheduleName, TenantId, Timestamp};

use crate::{Error, NewSchedule, Schedule, Submitted};

/// What became of a schedule that was to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Added {
    /// It ticks from now on.
    Added(Box<Schedule>),
    /// The tenant has another one of that name, which stays as it is.
    Exists(Box<Schedule>),
}

/// A request to steer a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScheduleControl {
    /// Make no jobs until it is resumed.
    Pause,
    /// Go on with the next tick from now on; what would have ticked meanwhile was not missed.
    Resume,
}

/// A job that a tick made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fired {
    /// Who owns the schedule and the job.
    pub tenant: TenantId,
    /// The schedule.
    pub name: ScheduleName,
    /// The instant of the tick.
    pub tick: Timestamp,
    /// The job.
    pub job: Submitted,
}

/// What firing did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FiredAll {
    /// The jobs, for each schedule in the order of its ticks.
    pub jobs: Vec<Fired>,
    /// Schedules of which ticks were missed that make no job.
    pub skipped: Vec<(TenantId, ScheduleName)>,
    /// Schedules that cannot be read here, and why: they make no jobs until somebody resumes them.
    pub set_aside: Vec<(String, String)>,
}

/// Schedules. The database's clock decides which tick is due.
///
/// Every method is cancel safe: a write that was begun either happens completely or not at all.
#[async_trait]
pub trait ScheduleStore: Debug + Send + Sync {
    /// Adds a schedule. Its first tick is the first behind the store's time.
    async fn add_schedule(&self, new: NewSchedule) -> Result<Added, Error>;

    /// A schedule of the tenant. One that cannot be read is [`Error::Corrupt`].
    async fn schedule(
        &self,
        tenant: &TenantId,
        name: &ScheduleName,
    ) -> Result<Option<Schedule>, Error>;

    /// A page of the tenant's schedules, by name. One that cannot be read is [`Error::Corrupt`] in its
    /// place, with its name in the text.
    async fn schedules(
        &self,
        tenant: &TenantId,
        after: Option<&ScheduleName>,
        limit: u32,
    ) -> Result<Vec<Result<Schedule, Error>>, Error>;

    /// Steers a schedule of the tenant, and answers how it stands then; `None` if there is none. What is
    /// so already is left alone.
    async fn control_schedule(
        &self,
        tenant: &TenantId,
        name: &ScheduleName,
        request: ScheduleControl,
    ) -> Result<Option<Schedule>, Error>;

    /// Removes a schedule of the tenant; `false` if there is none. Its jobs stay.
    async fn remove_schedule(&self, tenant: &TenantId, name: &ScheduleName) -> Result<bool, Error>;

    /// Makes the jobs of ticks that are due, of up to `limit` schedules, and moves these on, in one
    /// transaction. A tick makes one job, however many fire it at once.
    async fn fire_schedules(&self, limit: u32) -> Result<FiredAll, Error>;
}
