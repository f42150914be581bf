//! Saving what was decided.

use koinon_domain::{Event, JobId, State};
use koinon_store::decide::Changes;
use koinon_store::{Entry, Run, StoredCheckpoint};

use crate::error::Failure;
use crate::repeated::{Repeated, repeated};
use crate::row;
use crate::tx::Tx;

const INSERT_ENTRY: Repeated = repeated!("../sql/insert_entry.sql");
const INSERT_CHECKPOINT: Repeated = repeated!("../sql/insert_checkpoint.sql");
const INSERT_EVENT: Repeated = repeated!("../sql/insert_event.sql");
const UPDATE_RUN: Repeated = repeated!("../sql/update_run.sql");
const INSERT_RUN: Repeated = repeated!("../sql/insert_run.sql");
const DELETE_RUN: Repeated = repeated!("../sql/delete_run.sql");
const INSERT_OUTCOME: Repeated = repeated!("../sql/insert_outcome.sql");
const DELETE_OUTCOME: Repeated = repeated!("../sql/delete_outcome.sql");

/// What was decided about one job, and where its row stands before that.
#[derive(Debug)]
pub(super) struct Decided {
    pub(super) from: Standing,
    pub(super) changes: Changes,
}

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

/// Saves decisions about different jobs: entries, checkpoints and events first, then where the jobs
/// stand.
pub(super) async fn save(tx: &mut Tx<'_>, decided: &[Decided]) -> Result<(), Failure> {
    let entries: Vec<&Entry> = decided.iter().flat_map(|one| &one.changes.entries).collect();
    tx.write_each(INSERT_ENTRY, &entries, |query, entry| row::bind_entry(query, entry)).await?;
    let checkpoints: Vec<(JobId, &StoredCheckpoint)> =
        of_jobs(decided, |changes| &changes.checkpoints);
    tx.write_each(INSERT_CHECKPOINT, &checkpoints, |query, (job, checkpoint)| {
        row::bind_checkpoint(query, *job, checkpoint)
    })
    .await?;
    let events: Vec<(JobId, &Event)> = of_jobs(decided, |changes| &changes.events);
    tx.write_each(INSERT_EVENT, &events, |query, (job, event)| row::bind_event(query, *job, event))
        .await?;
    save_standings(tx, decided).await
}

async fn save_standings(tx: &mut Tx<'_>, decided: &[Decided]) -> Result<(), Failure> {
    let mut update = Vec::new();
    let (mut gone_runs, mut gone_outcomes) = (Vec::new(), Vec::new());
    let (mut runs, mut outcomes): (Vec<&Run>, Vec<&Run>) = (Vec::new(), Vec::new());
    for one in decided {
        let run = &one.changes.run;
        let to = Standing::of(run.state);
        match (one.from, to) {
            (Standing::Living, Standing::Living) => update.push(run),
            (Standing::Living, _) => gone_runs.push(run.job),
            (Standing::Ended, _) => gone_outcomes.push(run.job),
            (Standing::New, _) => {}
        }
        match (one.from, to) {
            (Standing::Living, Standing::Living) => {}
            (_, Standing::Ended) => outcomes.push(run),
            (_, Standing::New | Standing::Living) => runs.push(run),
        }
    }
    tx.write_each(UPDATE_RUN, &update, |query, run| row::bind_run_update(query, run)).await?;
    tx.write_each(DELETE_RUN, &gone_runs, |query, job| query.bind(job.as_uuid())).await?;
    tx.write_each(DELETE_OUTCOME, &gone_outcomes, |query, job| query.bind(job.as_uuid())).await?;
    tx.write_each(INSERT_RUN, &runs, |query, run| row::bind_run(query, run)).await?;
    tx.write_each(INSERT_OUTCOME, &outcomes, |query, run| row::bind_outcome(query, run)).await
}

fn of_jobs<T>(decided: &[Decided], part: impl Fn(&Changes) -> &Vec<T>) -> Vec<(JobId, &T)> {
    let of_one = |one: &'_ Decided| one.changes.run.job;
    decided
        .iter()
        .flat_map(|one| part(&one.changes).iter().map(move |row| (of_one(one), row)))
        .collect()
}
