//! Rows become domain types, and domain types become rows, here and nowhere else.

mod backlog;
mod bytes;
mod columns;
mod document;
mod each;
mod entry;
mod event;
mod instant;
mod job;
mod new_jobs;
mod number;
mod run;
mod running;
mod schedule;
mod worker;

pub(crate) use self::backlog::backlog;
pub(crate) use self::bytes::{NewCheckpoint, bind_checkpoints, checkpoint};
pub(crate) use self::columns::Columns;
pub(crate) use self::document::prices;
pub(crate) use self::entry::{bind_entries, entry, hold};
pub(crate) use self::event::{NewEvent, bind_events, event};
pub(crate) use self::instant::Instant;
pub(crate) use self::job::spec;
pub(crate) use self::new_jobs::{NewJobRow, NewJobs, bind_new_jobs};
pub(crate) use self::number::{int, micros};
pub(crate) use self::run::{
    RowVersion, bind_ends, bind_outcomes, bind_paid, bind_run_updates, bind_runs, bind_steps, run,
};
pub(crate) use self::running::{held_by_tenant, running};
pub(crate) use self::schedule::{bind_schedule, bind_schedule_update, schedule};
pub(crate) use self::worker::worker;
