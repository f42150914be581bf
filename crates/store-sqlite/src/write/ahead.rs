//! The rows that commits are decided on, which one hop reads.

use std::collections::HashMap;

use koinon_domain::{HoldId, JobId, Timestamp};
use koinon_store::{Commit, Error, Run};
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::locked::LockedHold;
use crate::error::Failure;
use crate::row::{self, Columns};
use crate::tx::Query;

/// Which rows some commits want to be read.
#[derive(Debug)]
pub(crate) struct Ahead {
    jobs: String,
    /// `None` where no hold ends.
    holds: Option<String>,
}

/// Those rows; one that cannot be read is its job's own error.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) runs: HashMap<JobId, Result<Run, Error>>,
    pub(super) holds: HashMap<HoldId, LockedHold>,
}

impl Ahead {
    pub(crate) fn of<'a>(commits: impl Iterator<Item = &'a Commit> + Clone) -> Self {
        let jobs = row::ids(commits.clone().map(|commit| commit.job.as_uuid()));
        let mut ends = commits.flat_map(|commit| &commit.hold_ends).peekable();
        let holds = ends.peek().is_some().then(|| row::ids(ends.map(|end| end.id.as_uuid())));
        Self { jobs, holds }
    }

    /// Reads them.
    pub(super) fn query(&self) -> Query<'_> {
        match &self.holds {
            None => sqlx::query(include_str!("../sql/standings.sql")).bind(&*self.jobs),
            Some(holds) => sqlx::query(concat!(
                include_str!("../sql/standings.sql"),
                ";\n",
                include_str!("../sql/holds.sql")
            ))
            .bind(&*self.jobs)
            .bind(&**holds),
        }
    }

    /// Begins a transaction, reads the time, then them.
    pub(crate) fn query_at_begin(&self, clock: Timestamp) -> Query<'_> {
        match &self.holds {
            None => sqlx::query(concat!(
                include_str!("../sql/begin.sql"),
                ";\n",
                include_str!("../sql/clock.sql"),
                ";\n",
                include_str!("../sql/standings.sql")
            ))
            .bind(clock.as_micros())
            .bind(&*self.jobs),
            Some(holds) => sqlx::query(concat!(
                include_str!("../sql/begin.sql"),
                ";\n",
                include_str!("../sql/clock.sql"),
                ";\n",
                include_str!("../sql/standings.sql"),
                ";\n",
                include_str!("../sql/holds.sql")
            ))
            .bind(clock.as_micros())
            .bind(&*self.jobs)
            .bind(&**holds),
        }
    }
}

impl Found {
    /// Runs and holds from rows that stand in one list; only a hold has a `hold_id`.
    pub(super) fn of(rows: &[SqliteRow]) -> Result<Self, Failure> {
        let mut found = Self::default();
        for one in rows {
            if one.try_column("hold_id").is_ok() {
                let hold = LockedHold::of(one)?;
                found.holds.insert(hold.id, hold);
            } else {
                found.runs.insert(Columns::new(one, "the run").job()?, row::run(one));
            }
        }
        Ok(found)
    }
}
