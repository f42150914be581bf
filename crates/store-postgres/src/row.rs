//! Rows become domain types as in every adapter ([`koinon_store::row`]), and domain types become rows here.

mod bytes;
mod each;
mod entry;
mod event;
mod found;
mod instant;
mod new_jobs;
mod run;
mod running;
mod schedule;

pub(crate) use koinon_store::row::{
    backlog, calls, checkpoint, entry, event, hold, int, listed, loaded, micros, names_page,
    old_page, peek, prices, run, running, schedule, spec, status, worker,
};

pub(crate) use self::bytes::{NewCheckpoint, bind_checkpoints};
pub(crate) use self::entry::bind_entries;
pub(crate) use self::event::{NewEvent, bind_events};
pub(crate) use self::found::Found;
pub(crate) use self::instant::Instant;
pub(crate) use self::new_jobs::{NewJobRow, NewJobs, bind_new_jobs};
pub(crate) use self::run::{
    RowVersion, bind_ends, bind_outcomes, bind_paid, bind_run_updates, bind_runs, bind_steps,
};
pub(crate) use self::running::held_by_tenant;
pub(crate) use self::schedule::{bind_schedule, bind_schedule_update};

/// The columns of a row.
pub(crate) type Columns<'r> = koinon_store::row::Columns<'r, Found>;
