//! A worker takes jobs.

use std::collections::HashMap;
use std::sync::Arc;

use koinon_domain::{JobId, TenantId};
use koinon_store::{ClaimRequest, Claimed, Error, Run, Scope, decide};

use super::limited::limited;
use super::recover::set_aside;
use super::save::save;
use crate::error::Failure;
use crate::row::{self, Columns};
use crate::statement::{Query, query};
use crate::tx::Tx;
use crate::values::Row;

/// A job that was claimed.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) claimed: Claimed,
    pub(crate) run: Arc<Run>,
    /// The row that says what it is to do.
    pub(crate) spec: Option<Row>,
}

/// Claims up to `limit` ready jobs, and looks up what they are to do. A row that cannot be read is set aside, so
/// that it does not stand in front of the others for ever.
pub(crate) fn claim(tx: &mut Tx<'_>, request: &ClaimRequest) -> Result<Vec<Taken>, Failure> {
    let now = tx.now();
    let rows = if request.running.is_none() {
        tx.all(&ready(tx, &request.scope, request.limit))?
    } else {
        limited(tx, request)?
    };
    let mut specs = specs(tx, &rows)?;
    let mut taken = Vec::with_capacity(rows.len());
    for found in &rows {
        match row::run(found) {
            Ok(run) => {
                let before = run.clone();
                let spec = specs.remove(&run.job);
                let starts = starts(spec.as_ref(), request, &run.tenant);
                let changes = decide::claim(run, request, starts, now)?;
                let (job, generation) = (changes.run.job, changes.run.generation);
                let run = save(tx, before, changes);
                taken.push(Taken { claimed: Claimed { job, generation }, run, spec });
            }
            Err(error) => {
                let job = Columns::new(found, "the run").job()?;
                set_aside(tx, job, &error.to_string())?;
            }
        }
    }
    Ok(taken)
}

/// Whether a job starts with its claim. One whose kind or authority cannot be read does not.
fn starts(spec: Option<&Row>, request: &ClaimRequest, tenant: &TenantId) -> bool {
    !request.starts.is_empty()
        && spec.is_some_and(|spec| row::starts(spec, request, tenant).unwrap_or_default())
}

/// The rows that say what some jobs are to do.
fn specs(tx: &mut Tx<'_>, ready: &[Row]) -> Result<HashMap<JobId, Row>, Failure> {
    if ready.is_empty() {
        return Ok(HashMap::new());
    }
    let jobs: Result<Vec<_>, Error> =
        ready.iter().map(|row| Ok(Columns::new(row, "the run").job()?.as_uuid())).collect();
    let query = query(include_str!("../sql/specs.sql")).bind(row::ids(jobs?));
    let rows = tx.all(&query)?.into_iter();
    let specs = rows.map(|row| Ok((Columns::new(&row, "a job").job()?, row)));
    Ok(specs.collect::<Result<_, Error>>()?)
}

/// Up to `limit` ready jobs, whatever runs.
pub(super) fn ready(tx: &Tx<'_>, scope: &Scope, limit: u32) -> Query<'static> {
    let query = match scope {
        Scope::Queue(queue) => query(include_str!("../sql/claim.sql")).bind(queue.to_string()),
        Scope::Job(job) => query(include_str!("../sql/claim_job.sql")).bind(job.as_uuid()),
    };
    query.bind(tx.now().as_micros()).bind(i64::from(limit))
}
