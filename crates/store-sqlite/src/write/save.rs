//! Saving what was decided.

use std::sync::Arc;

use koinon_domain::{Event, JobId};
use koinon_store::decide::{Changes, Width};
use koinon_store::{Entry, Run, StoredCheckpoint};

use crate::row::{self, NewJobRow};
use crate::statement::Query;
use crate::tx::Tx;

/// Saves a new job's run.
pub(super) fn save_new(tx: &mut Tx<'_>, changes: Changes) {
    let run = save_beside(tx, changes);
    tx.write_later(Write::InsertRun(run));
}

/// Saves what was decided about a job whose row was read as `before`, and answers how it stands.
pub(super) fn save(tx: &mut Tx<'_>, before: Run, changes: Changes) -> Arc<Run> {
    let job = before.job;
    let (was_ended, is_ended) = (before.state.is_terminal(), changes.run.state.is_terminal());
    let width = Width::of(before, &changes.run);
    let after = save_beside(tx, changes);
    let run = Arc::clone(&after);
    let inserted = if is_ended { Write::InsertOutcome } else { Write::InsertRun };
    let writes = match (was_ended, width) {
        (_, Width::Checkpoints) => [Some(Write::SaveCheckpoint(run)), None],
        (_, Width::Starts) => [Some(Write::SaveStart(run)), None],
        (_, Width::Steps) => [Some(Write::SaveStep(run)), None],
        (_, Width::Paid) => [Some(Write::SavePaid(run)), None],
        (_, Width::Ends) => [Some(Write::SaveEnd(run)), Some(Write::DeleteRun(job))],
        (false, Width::Whole) if !is_ended => [Some(Write::UpdateRun(run)), None],
        (false, Width::Whole) => [Some(Write::DeleteRun(job)), Some(inserted(run))],
        (true, Width::Whole) => [Some(Write::DeleteOutcome(job)), Some(inserted(run))],
    };
    for write in writes.into_iter().flatten() {
        tx.write_later(write);
    }
    after
}

/// Saves what belongs to a run.
fn save_beside(tx: &mut Tx<'_>, changes: Changes) -> Arc<Run> {
    let Changes { run, events, entries, checkpoints } = changes;
    let job = run.job;
    let entries = entries.into_iter().map(|entry| Write::Entry(Box::new(entry)));
    let checkpoints = checkpoints.into_iter().map(|one| Write::Checkpoint(job, Box::new(one)));
    let events = events.into_iter().map(|event| Write::Event(job, event));
    for write in entries.chain(checkpoints).chain(events) {
        tx.write_later(write);
    }
    Arc::new(run)
}

/// A row to be written, in the order in which kinds of rows are written.
#[derive(Debug)]
pub(crate) enum Write {
    Job(Box<NewJobRow>),
    Entry(Box<Entry>),
    Checkpoint(JobId, Box<StoredCheckpoint>),
    Event(JobId, Event),
    SaveCheckpoint(Arc<Run>),
    SaveStart(Arc<Run>),
    SaveStep(Arc<Run>),
    SavePaid(Arc<Run>),
    UpdateRun(Arc<Run>),
    SaveEnd(Arc<Run>),
    DeleteRun(JobId),
    DeleteOutcome(JobId),
    InsertRun(Arc<Run>),
    InsertOutcome(Arc<Run>),
}

impl Write {
    /// The place of its kind in the order.
    pub(crate) const fn rank(&self) -> u8 {
        match self {
            Self::Job(_) => 0,
            Self::Entry(_) => 1,
            Self::Checkpoint(..) => 2,
            Self::Event(..) => 3,
            Self::SaveCheckpoint(_) => 4,
            Self::SaveStart(_) => 5,
            Self::SaveStep(_) => 6,
            Self::SavePaid(_) => 7,
            Self::UpdateRun(_) => 8,
            Self::SaveEnd(_) => 9,
            Self::DeleteRun(_) => 10,
            Self::DeleteOutcome(_) => 11,
            Self::InsertRun(_) => 12,
            Self::InsertOutcome(_) => 13,
        }
    }

    /// The row of a run that it leaves behind, wherever that stands.
    pub(crate) const fn run(&self) -> Option<&Arc<Run>> {
        match self {
            Self::SaveCheckpoint(run)
            | Self::SaveStart(run)
            | Self::SaveStep(run)
            | Self::SavePaid(run)
            | Self::UpdateRun(run)
            | Self::SaveEnd(run)
            | Self::InsertRun(run)
            | Self::InsertOutcome(run) => Some(run),
            Self::Job(_)
            | Self::Entry(_)
            | Self::Checkpoint(..)
            | Self::Event(..)
            | Self::DeleteRun(_)
            | Self::DeleteOutcome(_) => None,
        }
    }

    /// The job whose row it changes, wherever that stands.
    pub(crate) fn changed(&self) -> Option<JobId> {
        match self {
            Self::DeleteRun(job) | Self::DeleteOutcome(job) => Some(*job),
            other => other.run().map(|run| run.job),
        }
    }

    pub(crate) const fn text(&self) -> &'static str {
        match self {
            Self::Job(_) => include_str!("../sql/insert_job.sql"),
            Self::Entry(_) => include_str!("../sql/insert_entry.sql"),
            Self::Checkpoint(..) => include_str!("../sql/insert_checkpoint.sql"),
            Self::Event(..) => include_str!("../sql/insert_event.sql"),
            Self::SaveCheckpoint(_) => include_str!("../sql/save_checkpoint.sql"),
            Self::SaveStart(_) => include_str!("../sql/save_start.sql"),
            Self::SaveStep(_) => include_str!("../sql/save_step.sql"),
            Self::SavePaid(_) => include_str!("../sql/save_paid.sql"),
            Self::UpdateRun(_) => include_str!("../sql/update_run.sql"),
            Self::SaveEnd(_) => include_str!("../sql/save_end.sql"),
            Self::DeleteRun(_) => include_str!("../sql/delete_run.sql"),
            Self::DeleteOutcome(_) => include_str!("../sql/delete_outcome.sql"),
            Self::InsertRun(_) => include_str!("../sql/insert_run.sql"),
            Self::InsertOutcome(_) => include_str!("../sql/insert_outcome.sql"),
        }
    }

    /// Adds its arguments after those of the rows before it.
    pub(crate) fn bind<'a>(&'a self, query: Query<'a>) -> Query<'a> {
        match self {
            Self::Job(job) => row::bind_job(query, job),
            Self::Entry(entry) => row::bind_entry(query, entry),
            Self::Checkpoint(job, checkpoint) => row::bind_checkpoint(query, *job, checkpoint),
            Self::Event(job, event) => row::bind_event(query, *job, event),
            Self::SaveCheckpoint(run) => row::bind_checkpointed(query, run),
            Self::SaveStart(run) => row::bind_start(query, run),
            Self::SaveStep(run) => row::bind_step(query, run),
            Self::SavePaid(run) => row::bind_paid(query, run),
            Self::UpdateRun(run) => row::bind_run_update(query, run),
            Self::SaveEnd(run) => row::bind_end(query, run),
            Self::DeleteRun(job) | Self::DeleteOutcome(job) => query.bind(job.as_uuid()),
            Self::InsertRun(run) => row::bind_run(query, run),
            Self::InsertOutcome(run) => row::bind_outcome(query, run),
        }
    }
}
