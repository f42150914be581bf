//! Schedules: what they submit, and how they stand.

use koinon_budget::Limits;
use koinon_domain::{
    Authority, JobId, Kind, Priority, ProjectId, QueueName, ScheduleId, ScheduleName, TenantId,
    Timestamp,
};
use koinon_schedule::{Cadence, Missed};

/// What every job of a schedule is asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The tenant's own grouping.
    pub project: ProjectId,
    /// Which workload runs the jobs.
    pub kind: Kind,
    /// Where they wait.
    pub queue: QueueName,
    /// How urgent they are.
    pub priority: Priority,
    /// The workload's input, as JSON.
    pub payload: Vec<u8>,
    /// On whose behalf they run.
    pub authority: Option<Authority>,
    /// What each of them may spend.
    pub limits: Limits,
    /// How many claims of each may be charged; at least 1.
    pub max_attempts: u32,
}

/// A schedule to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSchedule {
    /// The id that it gets.
    pub id: ScheduleId,
    /// Who owns it, and its jobs.
    pub tenant: TenantId,
    /// What the tenant calls it; no two schedules of a tenant have the same name.
    pub name: ScheduleName,
    /// When it ticks.
    pub cadence: Cadence,
    /// What becomes of ticks that nobody was there for.
    pub missed: Missed,
    /// What its jobs are asked to do.
    pub template: Template,
}

/// A schedule and how it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// Its id.
    pub id: ScheduleId,
    /// Who owns it, and its jobs.
    pub tenant: TenantId,
    /// What the tenant calls it.
    pub name: ScheduleName,
    /// When it ticks.
    pub cadence: Cadence,
    /// What becomes of ticks that nobody was there for.
    pub missed: Missed,
    /// What its jobs are asked to do.
    pub template: Template,
    /// When it was added, by the database's clock. Intervals are counted from here.
    pub added_at: Timestamp,
    /// Since when it is paused.
    pub paused_at: Option<Timestamp>,
    /// Its next tick; `None` while it is paused, and when there is none any more.
    pub next_at: Option<Timestamp>,
    /// The last tick that made a job.
    pub last: Option<LastTick>,
}

/// A tick that made a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastTick {
    /// The instant of the tick, not of the submission.
    pub at: Timestamp,
    /// The job.
    pub job: JobId,
}
