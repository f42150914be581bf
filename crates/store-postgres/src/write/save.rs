//! Saving what was decided.

use koinon_domain::State;
use koinon_store::decide::{Changes, Width};
use koinon_store::{Entry, Run};
use uuid::Uuid;

use crate::error::Failure;
use crate::row::{self, NewCheckpoint, NewEvent};
use crate::tx::Tx;

/// In which table a job's row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
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

/// Rows to be written: by one statement for all jobs that change alike, or, where much changes, by one
/// for each kind of row.
#[derive(Debug, Default)]
pub(super) struct Batch {
    steps: Rows,
    paid: Rows,
    ends: Rows,
    rest: Rows,
    no_outcomes: Vec<Uuid>,
    no_runs: Vec<Uuid>,
    new_runs: Vec<Run>,
    outcomes: Vec<Run>,
}

/// Rows of several kinds.
#[derive(Debug, Default)]
struct Rows {
    runs: Vec<Run>,
    events: Vec<NewEvent>,
    checkpoints: Vec<NewCheckpoint>,
    entries: Vec<Entry>,
}

impl Rows {
    /// Adds what belongs to a run.
    fn add(&mut self, changes: Changes) -> Run {
        let Changes { run, events, entries, checkpoints } = changes;
        let job = run.job;
        self.events.extend(events.into_iter().map(|event| (job, event)));
        self.checkpoints.extend(checkpoints.into_iter().map(|checkpoint| (job, checkpoint)));
        self.entries.extend(entries);
        run
    }
}

impl Batch {
    /// Adds what was decided about a job whose row was locked as `before`.
    pub(super) fn add(&mut self, before: Run, changes: Changes) {
        let (from, to) = (Standing::of(before.state), Standing::of(changes.run.state));
        let rows = match Width::of(before, &changes.run) {
            Width::Steps if changes.entries.is_empty() => &mut self.steps,
            Width::Steps | Width::Paid => &mut self.paid,
            Width::Ends if changes.entries.is_empty() && changes.checkpoints.is_empty() => {
                &mut self.ends
            }
            Width::Ends | Width::Whole => return self.add_whole(from, to, changes),
        };
        let run = rows.add(changes);
        rows.runs.push(run);
    }

    fn add_whole(&mut self, from: Standing, to: Standing, changes: Changes) {
        let run = self.rest.add(changes);
        let job = run.job.as_uuid();
        match (from, to) {
            (Standing::Living, Standing::Living) => self.rest.runs.push(run),
            (Standing::Living, Standing::Ended) => {
                self.no_runs.push(job);
                self.outcomes.push(run);
            }
            (Standing::Ended, Standing::Living) => {
                self.no_outcomes.push(job);
                self.new_runs.push(run);
            }
            (Standing::Ended, Standing::Ended) => {
                self.no_outcomes.push(job);
                self.outcomes.push(run);
            }
        }
    }

    /// Writes everything.
    pub(super) async fn save(&self, tx: &mut Tx<'_>) -> Result<(), Failure> {
        if !self.steps.runs.is_empty() {
            let save = sqlx::query(include_str!("../sql/save_steps.sql"));
            let save = row::bind_steps(save, &self.steps.runs);
            let save = row::bind_events(save, &self.steps.events);
            tx.write(row::bind_checkpoints(save, &self.steps.checkpoints)).await?;
        }
        if !self.paid.runs.is_empty() {
            let save = sqlx::query(include_str!("../sql/save_paid.sql"));
            let save = row::bind_paid(save, &self.paid.runs);
            let save = row::bind_events(save, &self.paid.events);
            let save = row::bind_checkpoints(save, &self.paid.checkpoints);
            tx.write(row::bind_entries(save, &self.paid.entries)).await?;
        }
        if !self.ends.runs.is_empty() {
            let save = sqlx::query(include_str!("../sql/save_ends.sql"));
            let save = row::bind_ends(save, &self.ends.runs);
            tx.write(row::bind_events(save, &self.ends.events)).await?;
        }
        self.save_rest(tx).await
    }

    async fn save_rest(&self, tx: &mut Tx<'_>) -> Result<(), Failure> {
        if !self.no_outcomes.is_empty() {
            let delete = sqlx::query(include_str!("../sql/delete_outcome.sql"));
            tx.write(delete.bind(self.no_outcomes.as_slice())).await?;
        }
        if !self.no_runs.is_empty() {
            let delete = sqlx::query(include_str!("../sql/delete_run.sql"));
            tx.write(delete.bind(self.no_runs.as_slice())).await?;
        }
        if !self.rest.runs.is_empty() {
            let update = sqlx::query(include_str!("../sql/update_run.sql"));
            tx.write(row::bind_run_updates(update, &self.rest.runs)).await?;
        }
        if !self.new_runs.is_empty() {
            let insert = sqlx::query(include_str!("../sql/insert_run.sql"));
            tx.write(row::bind_runs(insert, &self.new_runs)).await?;
        }
        if !self.outcomes.is_empty() {
            let insert = sqlx::query(include_str!("../sql/insert_outcome.sql"));
            tx.write(row::bind_outcomes(insert, &self.outcomes)).await?;
        }
        if !self.rest.events.is_empty() {
            let insert = sqlx::query(include_str!("../sql/insert_event.sql"));
            tx.write(row::bind_events(insert, &self.rest.events)).await?;
        }
        if !self.rest.checkpoints.is_empty() {
            let insert = sqlx::query(include_str!("../sql/insert_checkpoint.sql"));
            tx.write(row::bind_checkpoints(insert, &self.rest.checkpoints)).await?;
        }
        if !self.rest.entries.is_empty() {
            let insert = sqlx::query(include_str!("../sql/insert_entry.sql"));
            tx.write(row::bind_entries(insert, &self.rest.entries)).await?;
        }
        Ok(())
    }
}
