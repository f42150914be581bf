//! Submissions become jobs.

use std::collections::HashMap;

use koinon_domain::{Digest, JobId, State, TenantId};
use koinon_store::{IfExists, Submission, Submitted, decide};

use super::save::{Write, save_new};
use crate::error::Failure;
use crate::row::{self, Columns, NewJobRow};
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
pub(crate) async fn submit(tx: &mut Tx<'_>, calls: &mut [&mut SubmitCall]) -> Result<(), Failure> {
    let mut newest = newest(tx, calls).await?;
    for call in calls {
        let mut answers = Vec::with_capacity(call.request().len());
        for submission in call.request() {
            let identity = (submission.job.tenant.clone(), submission.job.identity);
            let existing = newest.get(&identity).copied();
            if let Some(existing) = existing
                && !is_replaced(existing, submission)
            {
                answers.push(Submitted::Existing(existing.job));
                continue;
            }
            let (spec, changes) = decide::submit(submission.job.clone(), tx.now());
            let incarnation = existing.map_or(1, |existing| existing.incarnation.saturating_add(1));
            let job = spec.id;
            newest.insert(identity, Newest { job, incarnation, state: changes.run.state });
            answers.push(Submitted::Created(job));
            tx.write_later(Write::Job(Box::new(NewJobRow { spec, incarnation })));
            save_new(tx, changes);
        }
        call.keep(Ok(answers));
    }
    Ok(())
}

fn is_replaced(existing: Newest, submission: &Submission) -> bool {
    match submission.if_exists {
        IfExists::Return => false,
        IfExists::ReplaceCancelled => existing.state == State::Cancelled,
    }
}

async fn newest(
    tx: &mut Tx<'_>,
    calls: &[&mut SubmitCall],
) -> Result<HashMap<(TenantId, Digest), Newest>, Failure> {
    let jobs = calls.iter().flat_map(|call| call.request()).map(|submission| &submission.job);
    let wanted = row::identities(jobs.map(|job| (&job.tenant, &job.identity)));
    let query = sqlx::query(include_str!("../sql/submit.sql")).bind(wanted);
    let rows = tx.all(query).await?;
    let newest = rows.iter().map(|found| {
        let row = Columns::new(found, "a job");
        let identity = (row.text("tenant", TenantId::try_new)?, row.digest("identity")?);
        let state = row.text("state", str::parse)?;
        Ok((identity, Newest { job: row.job()?, incarnation: row.get("incarnation")?, state }))
    });
    newest.collect()
}
