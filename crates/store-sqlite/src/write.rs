//! The verbs that write, each in the writer's transaction.

mod claim;
mod commit;
mod control;
mod found;
mod give_back;
mod heartbeat;
mod keep_profile;
mod limited;
mod locked;
mod prune;
mod queue;
mod reconcile;
mod recover;
mod save;
mod schedule;
mod submit;
mod worker;

pub(crate) use self::claim::{Taken, claim};
pub(crate) use self::commit::commit;
pub(crate) use self::control::{Steer, control};
pub(crate) use self::give_back::{GiveBack, give_back};
pub(crate) use self::heartbeat::heartbeat;
pub(crate) use self::keep_profile::keep_profile;
pub(crate) use self::prune::{Prune, Turn, prune_jobs, take_turn};
pub(crate) use self::queue::{QueueChange, change_queue};
pub(crate) use self::reconcile::reconcile;
pub(crate) use self::recover::recover;
pub(crate) use self::save::Write;
pub(crate) use self::schedule::{
    Named, SteerSchedule, add_schedule, control_schedule, fire_schedules, remove_schedule,
};
pub(crate) use self::submit::submit;
pub(crate) use self::worker::{WorkerNews, note_worker};
