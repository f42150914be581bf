//! Rows read under the writer's lock.

use crate::values::Row;
use koinon_domain::{Generation, HoldId, JobId};
use koinon_store::{Error, Hold, Run};

use crate::error::Failure;
use crate::row::{self, Columns};
use crate::statement::query;
use crate::tx::Tx;

/// A hold, whose it is, and whether its call has an answer that serves replay.
#[derive(Debug)]
pub(super) struct LockedHold {
    pub(super) id: HoldId,
    pub(super) job: JobId,
    pub(super) hold: Result<Hold, Error>,
    pub(super) is_answered: bool,
}

impl LockedHold {
    /// A row of `holds.sql`; one that cannot be read is its job's own error.
    pub(super) fn of(found: &Row) -> Result<Self, Failure> {
        let row = Columns::new(found, "a hold");
        let is_answered = row.get("answered")?;
        Ok(Self { id: row.hold()?, job: row.job()?, hold: row::hold(found), is_answered })
    }
}

/// How one job stands, if there is one.
pub(super) fn standing(tx: &mut Tx<'_>, job: JobId) -> Result<Option<Run>, Failure> {
    let query = query(include_str!("../sql/standings.sql")).bind(row::ids([job.as_uuid()]));
    let found = tx.first(&query)?;
    Ok(found.as_ref().map(row::run).transpose()?)
}

/// How one hold stands, if there is one.
pub(super) fn hold(tx: &mut Tx<'_>, hold: HoldId) -> Result<Option<LockedHold>, Failure> {
    let query = query(include_str!("../sql/holds.sql")).bind(row::ids([hold.as_uuid()]));
    let found = tx.first(&query)?;
    found.as_ref().map(LockedHold::of).transpose()
}

/// The holds that a claim has open.
pub(super) fn open_holds(
    tx: &mut Tx<'_>,
    job: JobId,
    generation: Generation,
) -> Result<Vec<Hold>, Failure> {
    let query =
        query(include_str!("../sql/open_holds.sql")).bind(job.as_uuid()).bind(generation.get());
    let rows = tx.all(&query)?;
    Ok(rows.iter().map(row::hold).collect::<Result<_, _>>()?)
}
