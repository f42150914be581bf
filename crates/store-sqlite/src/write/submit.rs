//! Submissions become jobs.

use std::collections::HashMap;

use koinon_domain::{Digest, JobId, State, TenantId};
use koinon_store::{IfExists, Submission, Submitted, decide};

use super::save::{Write, save_new};
use crate::error::Failure;
use crate::row::{self, Columns, NewJobRow};
use crate::statement::query;
use crate::tx::Tx;
use crate::writer::SubmitCall;

/// The newest job of an identity.
#[derive(Clone, Copy)]
struct Newest {
    job: JobId,
    incarnation: i64,
    state: State,
}

/// Submits the jobs of several callers, in their order.
pub(crate) fn submit(tx: &mut Tx<'_>, calls: &mut [&mut SubmitCall]) -> Result<(), Failure> {
    let mut newest = newest(tx, calls.iter().flat_map(|call| call.request()))?;
    for call in calls {
        let answers = call.request().iter().map(|one| submit_one(tx, one, &mut newest)).collect();
        call.keep(Ok(answers));
    }
    Ok(())
}

/// Submits jobs in the transaction of another verb.
pub(super) fn submit_in(
    tx: &mut Tx<'_>,
    submissions: &[Submission],
) -> Result<Vec<Submitted>, Failure> {
    if submissions.is_empty() {
        return Ok(Vec::new());
    }
    let mut newest = newest(tx, submissions.iter())?;
    Ok(submissions.iter().map(|one| submit_one(tx, one, &mut newest)).collect())
}

fn submit_one(
    tx: &mut Tx<'_>,
    submission: &Submission,
    newest: &mut HashMap<(TenantId, Digest), Newest>,
) -> Submitted {
    let identity = (submission.job.tenant.clone(), submission.job.identity);
    let existing = newest.get(&identity).copied();
    if let Some(existing) = existing
        && !is_replaced(existing, submission)
    {
        return Submitted::Existing(existing.job);
    }
    let (spec, changes) = decide::submit(submission.job.clone(), tx.now());
    let incarnation = existing.map_or(1, |existing| existing.incarnation.saturating_add(1));
    let job = spec.id;
    newest.insert(identity, Newest { job, incarnation, state: changes.run.state });
    tx.write_later(Write::Job(Box::new(NewJobRow { spec, incarnation })));
    save_new(tx, changes);
    Submitted::Created(job)
}

fn is_replaced(existing: Newest, submission: &Submission) -> bool {
    match submission.if_exists {
        IfExists::Return => false,
        IfExists::ReplaceCancelled => existing.state == State::Cancelled,
    }
}

fn newest<'a>(
    tx: &mut Tx<'_>,
    submissions: impl Iterator<Item = &'a Submission>,
) -> Result<HashMap<(TenantId, Digest), Newest>, Failure> {
    let jobs = submissions.map(|submission| &submission.job);
    let wanted = row::identities(jobs.map(|job| (&job.tenant, &job.identity)));
    let query = query(include_str!("../sql/submit.sql")).bind(wanted);
    let rows = tx.all(&query)?;
    let newest = rows.iter().map(|found| {
        let row = Columns::new(found, "a job");
        let identity = (row.text("tenant", TenantId::try_new)?, row.digest("identity")?);
        let state = row.text("state", str::parse)?;
        Ok((identity, Newest { job: row.job()?, incarnation: row.get("incarnation")?, state }))
    });
    newest.collect()
}
