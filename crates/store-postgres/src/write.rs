//! The verbs that write, each in a transaction.

mod basis;
mod claim;
mod commit;
mod control;
mod give_back;
mod heartbeat;
mod keep_profile;
mod limited;
mod locked;
mod prune;
mod queue;
mod reconcile;
mod recover;
mod repeats;
mod save;
mod schedule;
mod submit;
mod worker;

pub(crate) use self::claim::take;
pub(crate) use self::commit::Commits;
pub(crate) use self::control::{Steer, control};
pub(crate) use self::give_back::give_back;
pub(crate) use self::heartbeat::heartbeat;
pub(crate) use self::keep_profile::keep_profile;
pub(crate) use self::prune::{prune_jobs, take_turn};
pub(crate) use self::queue::{pause_queue, resume_queue};
pub(crate) use self::reconcile::reconcile;
pub(crate) use self::recover::recover;
pub(crate) use self::repeats::Repeats;
pub(crate) use self::schedule::{add_schedule, control_schedule, fire_schedules, remove_schedule};
pub(crate) use self::submit::Submissions;
pub(crate) use self::worker::{worker_gone, worker_seen};
