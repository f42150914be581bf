//! Saving what was decided.

use koinon_domain::State;
use koinon_store::decide::Changes;
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

/// Rows to be written, each kind by one statement, however many jobs they are of.
#[derive(Debug, Default)]
pub(super) struct Batch {
    no_outcomes: Vec<Uuid>,
    no_runs: Vec<Uuid>,
    runs: Vec<Run>,
    new_runs: Vec<Run>,
    outcomes: Vec<Run>,
    events: Vec<NewEvent>,
    checkpoints: Vec<NewCheckpoint>,
    entries: Vec<Entry>,
}

impl Batch {
    /// Adds what was decided about a job whose row stood at `from`.
    pub(super) fn add(&mut self, from: Standing, changes: Changes) {
        let Changes { run, events, entries, checkpoints } = changes;
        let job = run.job;
        self.events.extend(events.into_iter().map(|event| (job, event)));
        self.checkpoints.extend(checkpoints.into_iter().map(|checkpoint| (job, checkpoint)));
        self.entries.extend(entries);
        match (from, Standing::of(run.state)) {
            (Standing::Living, Standing::Living) => self.runs.push(run),
            (Standing::Living, Standing::Ended) => {
                self.no_runs.push(job.as_uuid());
                self.outcomes.push(run);
            }
            (Standing::Ended, Standing::Living) => {
                self.no_outcomes.push(job.as_uuid());
                self.new_runs.push(run);
            }
            (Standing::Ended, Standing::Ended) => {
                self.no_outcomes.push(job.as_uuid());
                self.outcomes.push(run);
            }
        }
    }

    /// Writes everything.
    pub(super) async fn save(&self, tx: &mut Tx<'_>) -> Result<(), Failure> {
        if !self.no_outcomes.is_empty() {
            let delete = sqlx::query(include_str!("../sql/delete_outcome.sql"));
            tx.write(delete.bind(self.no_outcomes.as_slice())).await?;
        }
        if !self.no_runs.is_empty() {
            let delete = sqlx::query(include_str!("../sql/delete_run.sql"));
            tx.write(delete.bind(self.no_runs.as_slice())).await?;
        }
        if !self.runs.is_empty() {
            let update = sqlx::query(include_str!("../sql/update_run.sql"));
            tx.write(row::bind_run_updates(update, &self.runs)).await?;
        }
        if !self.new_runs.is_empty() {
            let insert = sqlx::query(include_str!("../sql/insert_run.sql"));
            tx.write(row::bind_runs(insert, &self.new_runs)).await?;
        }
        if !self.outcomes.is_empty() {
            let insert = sqlx::query(include_str!("../sql/insert_outcome.sql"));
            tx.write(row::bind_outcomes(insert, &self.outcomes)).await?;
        }
        if !self.events.is_empty() {
            let insert = sqlx::query(include_str!("../sql/insert_event.sql"));
            tx.write(row::bind_events(insert, &self.events)).await?;
        }
        if !self.checkpoints.is_empty() {
            let insert = sqlx::query(include_str!("../sql/insert_checkpoint.sql"));
            tx.write(row::bind_checkpoints(insert, &self.checkpoints)).await?;
        }
        if !self.entries.is_empty() {
            let insert = sqlx::query(include_str!("../sql/insert_entry.sql"));
            tx.write(row::bind_entries(insert, &self.entries)).await?;
        }
        Ok(())
    }
}
