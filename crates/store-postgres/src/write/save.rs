//! Saving what was decided.

use std::collections::HashMap;

use koinon_domain::{JobId, State};
use koinon_store::decide::{Changes, Width};
use koinon_store::{Entry, EntryKind, Hold, Run};
use uuid::Uuid;

use crate::error::Failure;
use crate::memory::Known;
use crate::row::{self, Columns, NewCheckpoint, NewEvent, RowVersion};
use crate::tx::{Query, Tx};

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
    /// Which version of its row each run is known as; `None` if the row is locked.
    versions: Vec<Option<RowVersion>>,
    events: Vec<NewEvent>,
    checkpoints: Vec<NewCheckpoint>,
    entries: Vec<Entry>,
}

impl Rows {
    /// Adds a run and what belongs to it.
    fn add(&mut self, changes: Changes, version: Option<RowVersion>) {
        let run = self.add_rest(changes);
        self.runs.push(run);
        self.versions.push(version);
    }

    /// Adds what belongs to a run, and gives the run back.
    fn add_rest(&mut self, changes: Changes) -> Run {
        let Changes { run, events, entries, checkpoints } = changes;
        let job = run.job;
        self.events.extend(events.into_iter().map(|event| (job, event)));
        self.checkpoints.extend(checkpoints.into_iter().map(|checkpoint| (job, checkpoint)));
        self.entries.extend(entries);
        run
    }
}

impl Rows {
    fn save_steps(&self) -> Option<Query<'_>> {
        let save = sqlx::query(include_str!("../sql/save_steps.sql"));
        let save = row::bind_events(row::bind_steps(save, &self.runs), &self.events);
        let save = row::bind_checkpoints(save, &self.checkpoints);
        (!self.runs.is_empty()).then(|| save.bind(self.versions.as_slice()))
    }

    fn save_paid(&self) -> Option<Query<'_>> {
        let save = sqlx::query(include_str!("../sql/save_paid.sql"));
        let save = row::bind_events(row::bind_paid(save, &self.runs), &self.events);
        let save = row::bind_checkpoints(save, &self.checkpoints);
        let save = row::bind_entries(save, &self.entries);
        (!self.runs.is_empty()).then(|| save.bind(self.versions.as_slice()))
    }

    fn save_ends(&self) -> Option<Query<'_>> {
        let save = sqlx::query(include_str!("../sql/save_ends.sql"));
        let save = row::bind_events(row::bind_ends(save, &self.runs), &self.events);
        (!self.runs.is_empty()).then(|| save.bind(self.versions.as_slice()))
    }
}

impl Batch {
    /// Adds what was decided about a job whose row was locked as `before`.
    pub(super) fn add(&mut self, before: Run, changes: Changes) {
        let (from, to) = (Standing::of(before.state), Standing::of(changes.run.state));
        match self.narrow(before, &changes) {
            Some(rows) => rows.add(changes, None),
            None => self.add_whole(from, to, changes),
        }
    }

    /// Adds what was decided about a job whose row is known without a lock, if a statement can save it that
    /// checks the version of the row; answers whether it did.
    pub(super) fn add_known(&mut self, before: Run, version: RowVersion, changes: Changes) -> bool {
        let rows = self.narrow(before, &changes);
        rows.map(|rows| rows.add(changes, Some(version))).is_some()
    }

    /// The rows among which a change belongs that a narrow statement can save.
    fn narrow(&mut self, before: Run, changes: &Changes) -> Option<&mut Rows> {
        match Width::of(before, &changes.run) {
            Width::Checkpoints | Width::Starts | Width::Steps if changes.entries.is_empty() => {
                Some(&mut self.steps)
            }
            Width::Checkpoints | Width::Starts | Width::Steps | Width::Paid => Some(&mut self.paid),
            Width::Ends if changes.entries.is_empty() && changes.checkpoints.is_empty() => {
                Some(&mut self.ends)
            }
            Width::Ends | Width::Whole => None,
        }
    }

    fn add_whole(&mut self, from: Standing, to: Standing, changes: Changes) {
        let run = self.rest.add_rest(changes);
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
        self.save_narrow(tx).await?;
        self.save_rest(tx).await
    }

    /// Writes what narrow statements write, and answers for which jobs, each with the version that its row is now
    /// if the job goes on. A run that is known without a lock is left out if its row has changed since.
    pub(super) async fn save_narrow(
        &self,
        tx: &mut Tx<'_>,
    ) -> Result<HashMap<JobId, Option<RowVersion>>, Failure> {
        let (guessed, given, until) = (tx.guessed(), tx.given(), tx.guess_holds_until());
        let mut saved = HashMap::new();
        for save in [self.steps.save_steps(), self.paid.save_paid(), self.ends.save_ends()] {
            let Some(save) = save else { continue };
            for found in &tx.write_timed(save.bind(guessed).bind(given).bind(until)).await? {
                let row = Columns::new(found, "the run");
                saved.insert(row.job()?, row.get("row_version")?);
            }
        }
        Ok(saved)
    }

    /// The runs that were saved and go on, with the holds that are open: those that were known to stay so, by
    /// job, and those that were opened.
    pub(super) fn written(
        self,
        mut saved: HashMap<JobId, Option<RowVersion>>,
        mut open: HashMap<JobId, Vec<Hold>>,
    ) -> Vec<Known> {
        for entry in self.paid.entries.iter().filter(|entry| entry.kind == EntryKind::Reserved) {
            open.entry(entry.job).or_default().push(Hold::opened_by(entry));
        }
        let runs = self.steps.runs.into_iter().chain(self.paid.runs);
        let known = runs.filter_map(|run| {
            let version = saved.remove(&run.job)??;
            let holds = open.remove(&run.job).unwrap_or_default();
            Some(Known { run, version, holds })
        });
        known.collect()
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
