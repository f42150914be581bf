//! The verbs that read, each in one statement past the writer.

mod backlog;
mod blob_names;
mod calls;
mod checkpoints;
mod entries;
mod events;
mod in_doubt;
mod job;
mod jobs;
mod load;
mod old_jobs;
mod peek;
mod running;
mod schedules;
mod workers;

pub(crate) use self::backlog::backlog;
pub(crate) use self::blob_names::blob_names;
pub(crate) use self::calls::calls;
pub(crate) use self::checkpoints::checkpoints;
pub(crate) use self::entries::entries;
pub(crate) use self::events::events;
pub(crate) use self::in_doubt::in_doubt;
pub(crate) use self::job::job;
pub(crate) use self::jobs::jobs;
pub(crate) use self::load::load;
pub(crate) use self::old_jobs::{database_id, ended_queues, held_since, old_jobs};
pub(crate) use self::peek::peek;
pub(crate) use self::running::running;
pub(crate) use self::schedules::{schedule, schedules};
pub(crate) use self::workers::workers;
