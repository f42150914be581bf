//! The rows that commits are decided on.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use koinon_domain::{Generation, HoldId, JobId};
use koinon_store::decide::Locked;
use koinon_store::{Commit, Error, Hold, Run};

use super::locked::{self, LockedHold};
use crate::error::Failure;
use crate::memory::{Known, Memory};
use crate::row::RowVersion;
use crate::tx::Tx;

/// What a commit is decided on without a lock.
#[derive(Debug)]
pub(super) struct Basis {
    pub(super) locked: Locked,
    /// Which version the job's row must still be.
    pub(super) version: RowVersion,
    /// The holds that are known to be open after it.
    pub(super) open_after: Vec<Hold>,
}

impl Basis {
    /// Finds what some commits are decided on: what this process remembers, and what it reads. What cannot be read is
    /// left out.
    pub(super) async fn find(
        tx: &mut Tx<'_>,
        memory: &Memory,
        group: &[&Commit],
    ) -> Result<HashMap<JobId, Self>, Failure> {
        let mut found = Self::remember(tx, memory, group);
        let unknown: Vec<_> =
            group.iter().copied().filter(|commit| !found.contains_key(&commit.job)).collect();
        if unknown.is_empty() {
            return Ok(found);
        }
        let jobs = unknown.iter().map(|commit| commit.job).collect();
        let mut runs = locked::read_runs(tx, jobs).await?;
        let mut others =
            Others::read(tx, &unknown, |job| runs.get(&job).map(|(run, _)| run)).await?;
        for commit in unknown {
            let Some((run, version)) = runs.remove(&commit.job) else { continue };
            let Ok(locked) = others.with(run, commit) else { continue };
            found.insert(commit.job, Self { locked, version, open_after: Vec::new() });
        }
        Ok(found)
    }

    /// What need not be read. The transaction goes by what the time must be.
    fn remember(tx: &mut Tx<'_>, memory: &Memory, group: &[&Commit]) -> HashMap<JobId, Self> {
        let Some(guess) = tx.go_by_guess() else { return HashMap::new() };
        let remembered = group.iter().filter_map(|commit| {
            let known = memory.take(commit.job).filter(|known| known.is_enough(commit, guess))?;
            let Known { run, version, holds } = known;
            let stays = |hold: &&Hold| commit.hold_ends.iter().all(|end| end.id != hold.id);
            let open_after = holds.iter().filter(stays).cloned().collect();
            let locked = Locked { run, holds, answered: Vec::new() };
            Some((commit.job, Self { locked, version, open_after }))
        });
        remembered.collect()
    }
}

/// The rows besides their runs that commits are decided on.
pub(super) struct Others {
    /// The holds that they end.
    ended: HashMap<HoldId, LockedHold>,
    /// The holds that the claims have open which they end.
    open: HashMap<JobId, Result<Vec<Hold>, Error>>,
}

impl Others {
    pub(super) async fn read<'r>(
        tx: &mut Tx<'_>,
        group: &[&Commit],
        run: impl Fn(JobId) -> Option<&'r Run>,
    ) -> Result<Self, Failure> {
        let ends = group.iter().flat_map(|commit| &commit.hold_ends).map(|end| end.id).collect();
        let leaving = group.iter().filter_map(|commit| leaves_open(commit, run(commit.job)?));
        let leaving = leaving.collect();
        let ended = locked::holds(tx, ends).await?;
        Ok(Self { ended, open: locked::open_holds(tx, leaving).await? })
    }

    /// All rows that one commit is decided on.
    pub(super) fn with(&mut self, run: Run, commit: &Commit) -> Result<Locked, Error> {
        let open = self.open.remove(&commit.job).unwrap_or_else(|| Ok(Vec::new()))?;
        let (mut holds, mut answered) = (Vec::new(), Vec::new());
        for end in &commit.hold_ends {
            if self.ended.get(&end.id).is_some_and(|found| found.job == commit.job)
                && let Some(found) = self.ended.remove(&end.id)
            {
                holds.push(found.hold?);
                answered.extend(found.is_answered.then_some(found.id));
            }
        }
        holds.extend(
            open.into_iter().filter(|hold| commit.hold_ends.iter().all(|end| end.id != hold.id)),
        );
        Ok(Locked { run, holds, answered })
    }
}

/// The claim of a commit that ends it with more holds open than the commit ends itself. The row counts its
/// open holds, so that most claims end without looking for any.
fn leaves_open(commit: &Commit, run: &Run) -> Option<(JobId, Generation)> {
    let ends = u32::try_from(commit.hold_ends.len()).unwrap_or(u32::MAX);
    (commit.ends_claim() && run.open_holds > ends).then_some((run.job, run.generation))
}
