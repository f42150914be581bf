//! Schedules of whoever owns this program.

use koinon_budget::Limits;
use koinon_domain::{JobId, Kind, Priority, ProjectId, QueueName, ScheduleId, ScheduleName};
use koinon_schedule::{Cadence, Missed};
use koinon_store::{Added, NewSchedule, Submitted, Template, decide};

use crate::{Datasource, Error, Koinon, Queue};

/// A schedule to be added for the local tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddSchedule {
    /// What it is called; no two have the same name.
    pub name: ScheduleName,
    /// When it ticks.
    pub cadence: Cadence,
    /// What becomes of ticks that nobody was there for.
    pub missed: Missed,
    /// Which workload runs its jobs.
    pub kind: Kind,
    /// Which kinds it may be of.
    pub kinds: Kinds,
    /// Where its jobs wait; the queue of the kind's name unless it is set.
    pub queue: Option<QueueName>,
    /// The grouping that its jobs belong to.
    pub project: ProjectId,
    /// The workload's input, as JSON.
    pub payload: Vec<u8>,
    /// What each job may spend.
    pub limits: Limits,
    /// How urgent its jobs are.
    pub priority: Priority,
}

/// Which kinds of job a schedule may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Kinds {
    /// Those that this program runs. The payload is checked.
    #[default]
    Known,
    /// Any, because other programs run them. The payload is checked if this program knows the kind.
    Any,
}

impl Koinon {
    /// Adds a schedule. Workers of any process make its jobs, one for each tick.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownKind`] for a kind that this program does not know, unless any is allowed;
    /// [`Error::Payload`] if the payload is not what the workload takes; [`Error::ScheduleElsewhere`] if its queue
    /// is in another database; [`Error::Store`].
    ///
    /// # Cancel safety
    ///
    /// The schedule is added completely or not at all; the same call again finds it.
    pub async fn add_schedule(&self, new: AddSchedule) -> Result<Added, Error> {
        match self.workloads().check(new.kind.as_str(), &new.payload) {
            Some(checked) => checked?,
            None if new.kinds == Kinds::Any => {}
            None => return Err(Error::UnknownKind { kind: new.kind.to_string() }),
        }
        let queue = match new.queue {
            Some(queue) => queue,
            None => {
                let kind = new.kind.as_str();
                QueueName::try_new(self.workloads().queue(kind).unwrap_or(kind))?
            }
        };
        self.check_is_here(&queue)?;
        // Keeps the prices too.
        self.jobs_of(&queue).await?;
        let schedule = NewSchedule {
            id: ScheduleId::from_uuid(self.clock().uuid()),
            tenant: self.tenant().clone(),
            name: new.name,
            cadence: new.cadence,
            missed: new.missed,
            template: Template {
                authority: Some(self.local_authority(new.project.clone())),
                project: new.project,
                kind: new.kind,
                queue,
                priority: new.priority,
                payload: new.payload,
                limits: new.limits,
                max_attempts: self.settings().operations.max_attempts,
            },
        };
        Ok(self.schedules().add_schedule(schedule).await?)
    }

    /// Submits a job as the schedule's ticks do, beside them and now; `None` if there is no such schedule.
    /// A paused one can do it too.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    ///
    /// # Cancel safety
    ///
    /// The job is submitted completely or not at all. The same call again makes another.
    pub async fn run_schedule_now(&self, name: &ScheduleName) -> Result<Option<Submitted>, Error> {
        let Some(schedule) = self.schedules().schedule(self.tenant(), name).await? else {
            return Ok(None);
        };
        let jobs = self.jobs_of(&schedule.template.queue).await?;
        let submission = decide::run_now(&schedule, JobId::from_uuid(self.clock().uuid()));
        Ok(jobs.submit(vec![submission]).await?.pop())
    }

    /// A schedule's jobs are made in the transaction that moves it on, so it lives in their database.
    fn check_is_here(&self, queue: &QueueName) -> Result<(), Error> {
        let settings = self.settings();
        let datasource = Queue::of(queue.clone(), settings).datasource;
        if datasource.url(settings) == Datasource::Primary.url(settings) {
            return Ok(());
        }
        Err(Error::ScheduleElsewhere { queue: queue.to_string(), datasource })
    }
}
