//! Submissions become jobs.

use std::collections::HashMap;

use koinon_domain::{Digest, JobId, State, TenantId};
use koinon_store::{Error, IfExists, Run, Submission, Submitted, decide};

use crate::error::Failure;
use crate::lane::{Turn, Work};
use crate::row::{self, Columns, NewEvent, NewJobRow};
use crate::store::Shared;
use crate::tx::Tx;

/// The submissions of several callers, in their order, written by one statement.
#[derive(Debug)]
pub(crate) struct Submissions;

impl Work for Submissions {
    type Request = Vec<Submission>;
    type Answer = Vec<Submitted>;

    fn bytes(submissions: &Vec<Submission>) -> usize {
        submissions.iter().map(|one| one.job.payload.len()).sum()
    }

    fn fits(_: &[&Vec<Submission>], _: &Vec<Submission>) -> bool {
        true
    }

    async fn run(
        shared: &Shared,
        group: &[&Vec<Submission>],
        turn: Turn,
    ) -> Result<Vec<Result<Vec<Submitted>, Error>>, Failure> {
        let mut tx = Tx::each(shared, &shared.pool).await?;
        let done = write(&mut tx, group, turn).await;
        tx.settle(done).await
    }
}

/// The newest job of an identity.
#[derive(Clone, Copy)]
struct Newest {
    job: JobId,
    incarnation: i64,
    state: State,
}

/// The rows of new jobs.
#[derive(Default)]
struct Fresh {
    jobs: Vec<(NewJobRow, Run)>,
    events: Vec<NewEvent>,
}

/// Submits jobs in the transaction of another verb.
pub(super) async fn submit_in(
    tx: &mut Tx<'_>,
    submissions: &Vec<Submission>,
) -> Result<Vec<Submitted>, Failure> {
    if submissions.is_empty() {
        return Ok(Vec::new());
    }
    let answers = write(tx, &[submissions], None).await?;
    Ok(answers.into_iter().next().transpose()?.unwrap_or_default())
}

async fn write(
    tx: &mut Tx<'_>,
    group: &[&Vec<Submission>],
    turn: Turn,
) -> Result<Vec<Result<Vec<Submitted>, Error>>, Failure> {
    let mut newest = newest(tx, group).await?;
    let (mut fresh, mut answers) = (Fresh::default(), Vec::with_capacity(group.len()));
    for submissions in group {
        let answer = submissions.iter().map(|one| decide(tx, one, &mut newest, &mut fresh));
        answers.push(Ok(answer.collect()));
    }
    drop(turn);
    if !fresh.jobs.is_empty() {
        // In one order everywhere, so that two who submit the same identities wait for one another in turn.
        fresh.jobs.sort_by(|(one, _), (other, _)| one.identity().cmp(&other.identity()));
        let (jobs, runs): (Vec<_>, Vec<_>) = fresh.jobs.into_iter().unzip();
        let insert = sqlx::query(include_str!("../sql/insert_job.sql"));
        let insert = row::bind_new_runs(row::bind_jobs(insert, &jobs), &runs);
        tx.write(row::bind_events(insert, &fresh.events)).await?;
    }
    Ok(answers)
}

fn decide(
    tx: &Tx<'_>,
    submission: &Submission,
    newest: &mut HashMap<(TenantId, Digest), Newest>,
    fresh: &mut Fresh,
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
    fresh.jobs.push((NewJobRow { spec, incarnation }, changes.run));
    fresh.events.extend(changes.events.into_iter().map(|event| (job, event)));
    Submitted::Created(job)
}

fn is_replaced(existing: Newest, submission: &Submission) -> bool {
    match submission.if_exists {
        IfExists::Return => false,
        IfExists::ReplaceCancelled => existing.state == State::Cancelled,
    }
}

async fn newest(
    tx: &mut Tx<'_>,
    group: &[&Vec<Submission>],
) -> Result<HashMap<(TenantId, Digest), Newest>, Failure> {
    let jobs = || group.iter().flat_map(|one| one.iter()).map(|submission| &submission.job);
    let tenants: Vec<&str> = jobs().map(|job| job.tenant.as_str()).collect();
    let identities: Vec<&[u8]> = jobs().map(|job| job.identity.as_bytes().as_slice()).collect();
    let query = sqlx::query(include_str!("../sql/submit.sql"))
        .bind(tenants)
        .bind(identities)
        .bind(tx.given());
    let mut newest = HashMap::new();
    for found in &tx.timed(query).await? {
        let row = Columns::new(found, "a job");
        let Some(incarnation) = row.get("incarnation")? else { continue };
        let identity = (row.text("tenant", TenantId::try_new)?, row.digest("identity")?);
        let state = row.text("state", str::parse)?;
        newest.insert(identity, Newest { job: row.job()?, incarnation, state });
    }
    Ok(newest)
}
