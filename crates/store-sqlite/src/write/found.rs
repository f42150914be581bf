//! The rows that commits are decided on.

use std::collections::HashMap;
use std::sync::Arc;

use koinon_domain::{HoldId, JobId};
use koinon_store::{Commit, Error, Run};

use super::locked::LockedHold;
use crate::error::Failure;
use crate::row::{self, Columns};
use crate::statement::query;
use crate::tx::Tx;

/// Runs, and holds that are to end; one that cannot be read is its job's own error.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) runs: HashMap<JobId, Result<Arc<Run>, Error>>,
    pub(super) holds: HashMap<HoldId, LockedHold>,
}

impl Found {
    /// Reads what some commits are about.
    pub(super) fn read<'a>(
        tx: &mut Tx<'_>,
        commits: impl Iterator<Item = &'a Commit> + Clone,
    ) -> Result<Self, Failure> {
        let mut runs = HashMap::new();
        let mut unknown = Vec::new();
        for job in commits.clone().map(|commit| commit.job) {
            match tx.remembered(job) {
                Some(run) => drop(runs.insert(job, Ok(run))),
                None => unknown.push(job.as_uuid()),
            }
        }
        if !unknown.is_empty() {
            let standings = query(include_str!("../sql/standings.sql")).bind(row::ids(unknown));
            for one in tx.all(&standings)? {
                let job = Columns::new(&one, "the run").job()?;
                runs.insert(job, row::run(&one).map(Arc::new));
            }
        }
        let mut ends = commits.flat_map(|commit| &commit.hold_ends).peekable();
        if ends.peek().is_none() {
            return Ok(Self { runs, holds: HashMap::new() });
        }
        let holds = row::ids(ends.map(|end| end.id.as_uuid()));
        let rows = tx.all(&query(include_str!("../sql/holds.sql")).bind(holds))?;
        let holds = rows.iter().map(|one| LockedHold::of(one).map(|hold| (hold.id, hold)));
        Ok(Self { runs, holds: holds.collect::<Result<_, Failure>>()? })
    }
}
