//! Rows become domain types as in every adapter ([`koinon_store::row`]), and domain types become rows here.

mod bytes;
mod document;
mod entry;
mod event;
mod job;
mod run;
mod running;
mod schedule;

pub(crate) use koinon_store::row::{
    backlog, calls, checkpoint, entry, event, hold, int, listed, loaded, micros, names_page,
    old_page, peek, prices, run, running, schedule, spec, starts, status, worker,
};

pub(crate) use self::bytes::bind_checkpoint;
pub(crate) use self::document::{identities, ids, limits, texts};
pub(crate) use self::entry::bind_entry;
pub(crate) use self::event::bind_event;
pub(crate) use self::job::{NewJobRow, bind_job};
pub(crate) use self::run::{
    bind_checkpointed, bind_end, bind_outcome, bind_paid, bind_run, bind_run_update, bind_start,
    bind_step,
};
pub(crate) use self::running::held_by_tenant;
pub(crate) use self::schedule::{bind_schedule, bind_schedule_update};

use crate::values::Row;

/// The columns of a row.
pub(crate) type Columns<'r> = koinon_store::row::Columns<'r, Row>;
