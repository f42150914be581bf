//! Rows read under the writer's lock.

use std::collections::HashMap;

use koinon_domain::{Generation, HoldId, JobId};
use koinon_store::{Error, Hold, Run};

use crate::error::Failure;
use crate::row;
use crate::tx::Tx;

/// How jobs stand; a row that cannot be read is its job's own error.
pub(super) async fn standings(
    tx: &mut Tx<'_>,
    jobs: impl IntoIterator<Item = JobId>,
) -> Result<HashMap<JobId, Result<Run, Error>>, Failure> {
    let ids = row::ids(jobs.into_iter().map(JobId::as_uuid));
    let query = sqlx::query(include_str!("../sql/standings.sql")).bind(ids);
    let mut standings = HashMap::new();
    for found in tx.all(query).await? {
        let job = row::Columns::new(&found, "the run").job()?;
        standings.insert(job, row::run(&found));
    }
    Ok(standings)
}

/// How one job stands, if there is one.
pub(super) async fn standing(tx: &mut Tx<'_>, job: JobId) -> Result<Option<Run>, Failure> {
    Ok(standings(tx, [job]).await?.remove(&job).transpose()?)
}

/// A hold, whose it is, and whether its call has an answer that serves replay.
#[derive(Debug)]
pub(super) struct LockedHold {
    pub(super) id: HoldId,
    pub(super) job: JobId,
    pub(super) hold: Result<Hold, Error>,
    pub(super) is_answered: bool,
}

/// How holds stand; a row that cannot be read is its job's own error.
pub(super) async fn holds(
    tx: &mut Tx<'_>,
    holds: impl IntoIterator<Item = HoldId>,
) -> Result<Vec<LockedHold>, Failure> {
    let ids = row::ids(holds.into_iter().map(HoldId::as_uuid));
    let query = sqlx::query(include_str!("../sql/holds.sql")).bind(ids);
    let rows = tx.all(query).await?;
    let holds = rows.iter().map(|found| {
        let row = row::Columns::new(found, "a hold");
        let is_answered = row.get("answered")?;
        Ok(LockedHold { id: row.hold()?, job: row.job()?, hold: row::hold(found), is_answered })
    });
    holds.collect()
}

/// The holds that a claim has open.
pub(super) async fn open_holds(
    tx: &mut Tx<'_>,
    job: JobId,
    generation: Generation,
) -> Result<Vec<Hold>, Failure> {
    let query = sqlx::query(include_str!("../sql/open_holds.sql"))
        .bind(job.as_uuid())
        .bind(generation.get());
    let rows = tx.all(query).await?;
    Ok(rows.iter().map(row::hold).collect::<Result<_, _>>()?)
}
