//! Rows read to be decided on: under their locks, or with the version that they must still be when they are saved.

use std::collections::HashMap;

use koinon_domain::{Generation, HoldId, JobId};
use koinon_store::{Error, Hold, Run};
use uuid::Uuid;

use crate::error::Failure;
use crate::row::{self, Columns, Found, RowVersion};
use crate::tx::Tx;

/// A job that moves between `runs` and `outcomes` while its row is waited for is seen in neither: the
/// statement looked before it waited. So often it is looked for again before it is taken not to exist.
const LOOKS: usize = 3;

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
    fn of(found: &Found) -> Result<Self, Failure> {
        let row = Columns::new(found, "a hold");
        let is_answered = row.get("answered")?;
        Ok(Self { id: row.hold()?, job: row.job()?, hold: row::hold(found), is_answered })
    }
}

/// How some jobs stand; a row that cannot be read is its job's own error.
pub(super) async fn standings(
    tx: &mut Tx<'_>,
    jobs: Vec<JobId>,
) -> Result<HashMap<JobId, Result<Run, Error>>, Failure> {
    let mut missing: Vec<Uuid> = jobs.into_iter().map(JobId::as_uuid).collect();
    let mut standings = HashMap::with_capacity(missing.len());
    // Nearly all of them live, so the outcomes are looked at only for what is not there.
    let looks = std::iter::once(include_str!("../sql/lock_runs.sql"))
        .chain(std::iter::repeat_n(include_str!("../sql/standings.sql"), LOOKS));
    for look in looks {
        let query = sqlx::query(look).bind(missing.clone()).bind(tx.given());
        for found in &tx.timed(query).await? {
            standings.insert(Columns::new(found, "the run").job()?, row::run(found));
        }
        missing.retain(|job| !standings.contains_key(&JobId::from_uuid(*job)));
        if missing.is_empty() {
            break;
        }
    }
    Ok(standings)
}

/// How some living jobs stand, and which version of its row each is; nothing is locked. What cannot be read is
/// left out.
pub(super) async fn read_runs(
    tx: &mut Tx<'_>,
    jobs: Vec<JobId>,
) -> Result<HashMap<JobId, (Run, RowVersion)>, Failure> {
    let jobs: Vec<Uuid> = jobs.into_iter().map(JobId::as_uuid).collect();
    let query = sqlx::query(include_str!("../sql/read_runs.sql")).bind(jobs).bind(tx.given());
    let mut runs = HashMap::new();
    for found in &tx.timed(query).await? {
        let version = Columns::new(found, "the run").get("row_version")?;
        runs.extend(row::run(found).ok().map(|run| (run.job, (run, version))));
    }
    Ok(runs)
}

/// How one job stands, if there is one.
pub(super) async fn standing(tx: &mut Tx<'_>, job: JobId) -> Result<Option<Run>, Failure> {
    let mut standings = standings(tx, vec![job]).await?;
    Ok(standings.remove(&job).transpose()?)
}

/// How some holds stand. The rows of their jobs are to be read or locked before.
pub(super) async fn holds(
    tx: &mut Tx<'_>,
    holds: Vec<HoldId>,
) -> Result<HashMap<HoldId, LockedHold>, Failure> {
    let holds: Vec<Uuid> = holds.into_iter().map(HoldId::as_uuid).collect();
    if holds.is_empty() {
        return Ok(HashMap::new());
    }
    let query = sqlx::query(include_str!("../sql/holds.sql")).bind(holds);
    let mut found = HashMap::new();
    for one in &tx.all(query).await? {
        let hold = LockedHold::of(one)?;
        found.insert(hold.id, hold);
    }
    Ok(found)
}

/// The holds that some claims have open, by job. The rows of the jobs are to be read or locked before.
pub(super) async fn open_holds(
    tx: &mut Tx<'_>,
    claims: Vec<(JobId, Generation)>,
) -> Result<HashMap<JobId, Result<Vec<Hold>, Error>>, Failure> {
    let (jobs, generations): (Vec<Uuid>, Vec<i64>) =
        claims.into_iter().map(|(job, generation)| (job.as_uuid(), generation.get())).unzip();
    if jobs.is_empty() {
        return Ok(HashMap::new());
    }
    let query = sqlx::query(include_str!("../sql/open_holds.sql")).bind(jobs).bind(generations);
    let mut open: HashMap<JobId, Result<Vec<Hold>, Error>> = HashMap::new();
    for found in &tx.all(query).await? {
        let job = Columns::new(found, "a hold").job()?;
        let of_job = open.entry(job).or_insert_with(|| Ok(Vec::new()));
        match (row::hold(found), of_job) {
            (Ok(hold), Ok(holds)) => holds.push(hold),
            (Err(error), of_job) => *of_job = Err(error),
            (Ok(_), Err(_)) => {}
        }
    }
    Ok(open)
}
