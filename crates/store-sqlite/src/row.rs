//! Rows become domain types, and domain types become rows, here and nowhere else.

mod backlog;
mod bytes;
mod columns;
mod document;
mod entry;
mod event;
mod job;
mod number;
mod run;
mod running;
mod schedule;
mod worker;

pub(crate) use self::backlog::backlog;
pub(crate) use self::bytes::{bind_checkpoint, checkpoint};
pub(crate) use self::columns::Columns;
pub(crate) use self::document::{identities, ids, limits, prices, texts};
pub(crate) use self::entry::{bind_entry, entry, hold};
pub(crate) use self::event::{bind_event, event};
pub(crate) use self::job::{NewJobRow, bind_job, spec};
pub(crate) use self::number::{int, micros};
pub(crate) use self::run::{
    bind_checkpointed, bind_end, bind_outcome, bind_paid, bind_run, bind_run_update, bind_start,
    bind_step, run,
};
pub(crate) use self::running::{held_by_tenant, running};
pub(crate) use self::schedule::{bind_schedule, bind_schedule_update, schedule};
pub(crate) use self::worker::worker;
