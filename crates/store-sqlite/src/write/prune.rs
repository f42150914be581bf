//! What has ended goes after a while.

use std::time::Duration;

use koinon_store::{Old, Pruned};
use uuid::Uuid;

use crate::error::Failure;
use crate::row::{self, Columns, micros};
use crate::statement::query;
use crate::tx::Tx;

/// Which jobs, and how many at the most.
#[derive(Debug, Clone)]
pub(crate) struct Prune {
    pub(crate) old: Old,
    pub(crate) limit: u32,
}

/// A turn that somebody would like to have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) name: &'static str,
    pub(crate) every: Duration,
}

/// Takes old jobs away, with everything of theirs but the amounts of the ledger.
pub(crate) fn prune_jobs(tx: &mut Tx<'_>, prune: &Prune) -> Result<Pruned, Failure> {
    let Prune { old, limit } = prune;
    let now = tx.now().as_micros();
    let old_jobs = query(include_str!("../sql/old_jobs.sql"))
        .bind(old.queue.as_str())
        .bind(old.state.as_str())
        .bind(now.saturating_sub(micros(old.kept_for)))
        .bind(0_i64)
        .bind(Uuid::nil())
        .bind(i64::from(*limit));
    let rows = tx.all(&old_jobs)?;
    let (mut pruned, mut jobs) = (Pruned::default(), Vec::with_capacity(rows.len()));
    for found in &rows {
        let row = Columns::new(found, "an outcome");
        let one = Pruned {
            jobs: 1,
            events: row.number("events")?,
            checkpoints: row.number("checkpoints")?,
        };
        pruned = pruned.plus(one);
        jobs.push(row.job()?.as_uuid());
    }
    if jobs.is_empty() {
        return Ok(pruned);
    }
    let jobs = row::ids(jobs);
    let keep = query(include_str!("../sql/keep_pruned_jobs.sql")).bind(jobs.as_str()).bind(now);
    tx.write(&keep)?;
    for text in [
        include_str!("../sql/prune_events.sql"),
        include_str!("../sql/prune_checkpoints.sql"),
        include_str!("../sql/prune_outcomes.sql"),
        include_str!("../sql/prune_jobs.sql"),
        include_str!("../sql/clear_answers.sql"),
    ] {
        tx.write(&query(text).bind(jobs.as_str()))?;
    }
    Ok(pruned)
}

/// Whether it is the caller's turn.
pub(crate) fn take_turn(tx: &mut Tx<'_>, turn: &Turn) -> Result<bool, Failure> {
    let now = tx.now().as_micros();
    let take = query(include_str!("../sql/take_turn.sql"))
        .bind(turn.name)
        .bind(now.saturating_add(micros(turn.every)))
        .bind(now);
    Ok(tx.write_returning(&take)?.is_some())
}
