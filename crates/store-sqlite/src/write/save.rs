//! Saving what was decided.

use koinon_domain::{Event, JobId, State};
use koinon_store::decide::Changes;
use koinon_store::{Entry, Run, StoredCheckpoint};

use crate::row::{self, NewJobRow};
use crate::tx::{Query, Tx};

/// In which table a job's row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// In none yet.
    New,
    /// In `runs`.
    Living,
    /// In `outcomes`.
    Ended,
}

impl Standing {
    pub(super) const fn of(state: State) -> Self {
        if state.is_terminal() { Self::Ended } else { Self::Living }
    }
}

/// Saves what was decided about a job whose row stood at `from`.
pub(super) fn save(tx: &mut Tx<'_>, from: Standing, changes: Changes) {
    let Changes { run, events, entries, checkpoints } = changes;
    let job = run.job;
    let entries = entries.into_iter().map(|entry| Write::Entry(Box::new(entry)));
    let checkpoints = checkpoints.into_iter().map(|one| Write::Checkpoint(job, Box::new(one)));
    let events = events.into_iter().map(|event| Write::Event(job, event));
    for write in entries.chain(checkpoints).chain(events) {
        tx.write_later(write);
    }
    let (to, run) = (Standing::of(run.state), Box::new(run));
    match (from, to) {
        (Standing::Living, Standing::Living) => return tx.write_later(Write::UpdateRun(run)),
        (Standing::Living, _) => tx.write_later(Write::DeleteRun(job)),
        (Standing::Ended, _) => tx.write_later(Write::DeleteOutcome(job)),
        (Standing::New, _) => {}
    }
    tx.write_later(match to {
        Standing::Ended => Write::InsertOutcome(run),
        Standing::New | Standing::Living => Write::InsertRun(run),
    });
}

/// A row to be written, in the order in which kinds of rows are written.
#[derive(Debug)]
pub(crate) enum Write {
    Job(Box<NewJobRow>),
    Entry(Box<Entry>),
    Checkpoint(JobId, Box<StoredCheckpoint>),
    Event(JobId, Event),
    UpdateRun(Box<Run>),
    DeleteRun(JobId),
    DeleteOutcome(JobId),
    InsertRun(Box<Run>),
    InsertOutcome(Box<Run>),
}

impl Write {
    /// The place of its kind in the order.
    pub(crate) const fn rank(&self) -> u8 {
        match self {
            Self::Job(_) => 0,
            Self::Entry(_) => 1,
            Self::Checkpoint(..) => 2,
            Self::Event(..) => 3,
            Self::UpdateRun(_) => 4,
            Self::DeleteRun(_) => 5,
            Self::DeleteOutcome(_) => 6,
            Self::InsertRun(_) => 7,
            Self::InsertOutcome(_) => 8,
        }
    }

    pub(crate) const fn text(&self) -> &'static str {
        match self {
            Self::Job(_) => include_str!("../sql/insert_job.sql"),
            Self::Entry(_) => include_str!("../sql/insert_entry.sql"),
            Self::Checkpoint(..) => include_str!("../sql/insert_checkpoint.sql"),
            Self::Event(..) => include_str!("../sql/insert_event.sql"),
            Self::UpdateRun(_) => include_str!("../sql/update_run.sql"),
            Self::DeleteRun(_) => include_str!("../sql/delete_run.sql"),
            Self::DeleteOutcome(_) => include_str!("../sql/delete_outcome.sql"),
            Self::InsertRun(_) => include_str!("../sql/insert_run.sql"),
            Self::InsertOutcome(_) => include_str!("../sql/insert_outcome.sql"),
        }
    }

    /// Adds its arguments after those of the rows before it.
    pub(crate) fn bind<'q>(&self, query: Query<'q>) -> Query<'q> {
        match self {
            Self::Job(job) => row::bind_job(query, job),
            Self::Entry(entry) => row::bind_entry(query, entry),
            Self::Checkpoint(job, checkpoint) => row::bind_checkpoint(query, *job, checkpoint),
            Self::Event(job, event) => row::bind_event(query, *job, event),
            Self::UpdateRun(run) => row::bind_run_update(query, run),
            Self::DeleteRun(job) | Self::DeleteOutcome(job) => query.bind(job.as_uuid()),
            Self::InsertRun(run) => row::bind_run(query, run),
            Self::InsertOutcome(run) => row::bind_outcome(query, run),
        }
    }
}
