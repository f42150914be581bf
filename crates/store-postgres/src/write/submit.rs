//! Submissions become jobs.

use std::collections::HashMap;

use koinon_domain::{Digest, JobId, State, TenantId};
use koinon_store::{Error, IfExists, Submission, Submitted, decide};

use crate::error::Failure;
use crate::lane::{Turn, Work};
use crate::row::{self, Columns, Instant, NewJobRow, NewJobs};
use crate::store::Shared;
use crate::tx::Tx;

/// So many jobs a group has: more of them are no cheaper, and while one group is written, others can be.
const JOBS_MAX: usize = 1_000;

/// The submissions of several callers, in their order, written by one statement.
#[derive(Debug)]
pub(crate) struct Submissions;

impl Work for Submissions {
    type Request = Vec<Submission>;
    type Answer = Vec<Submitted>;

    fn bytes(submissions: &Vec<Submission>) -> usize {
        submissions.iter().map(|one| one.job.payload.len()).sum()
    }

    fn fits(group: &[&Vec<Submission>], submissions: &Vec<Submission>) -> bool {
        group.iter().map(|one| one.len()).sum::<usize>() + submissions.len() <= JOBS_MAX
    }

    async fn run(
        shared: &Shared,
        group: &[&Vec<Submission>],
        turn: Turn,
    ) -> Result<Vec<Result<Vec<Submitted>, Error>>, Failure> {
        if shared.repeats.are_likely() {
            return looked_for(shared, group, turn).await;
        }
        // The next group need not wait: the unique index decides between two who submit the same at once.
        drop(turn);
        match as_new(shared, group).await {
            Err(failure) if failure.is_duplicate() || failure.is_collision() => {
                shared.repeats.seen();
                looked_for(shared, group, None).await
            }
            done => done,
        }
    }
}

type Answers = Vec<Result<Vec<Submitted>, Error>>;

/// Writes what is expected to be new.
async fn as_new(shared: &Shared, group: &[&Vec<Submission>]) -> Result<Answers, Failure> {
    let mut tx = Tx::each(shared, &shared.pool).await?;
    let now = tx.given();
    let done = write(&mut tx, group, HashMap::new(), now).await;
    tx.settle(done).await
}

/// Looks for what is there already, and writes the rest.
async fn looked_for(
    shared: &Shared,
    group: &[&Vec<Submission>],
    turn: Turn,
) -> Result<Answers, Failure> {
    let mut tx = Tx::each(shared, &shared.pool).await?;
    let done = match newest(&mut tx, group).await {
        Ok(newest) => {
            if newest.is_empty() {
                shared.repeats.not_seen();
            } else {
                shared.repeats.seen();
            }
            drop(turn);
            let now = Some(tx.now_at());
            write(&mut tx, group, newest, now).await
        }
        Err(failure) => Err(failure),
    };
    tx.settle(done).await
}

/// The newest job of an identity.
#[derive(Clone, Copy)]
struct Newest {
    job: JobId,
    incarnation: i64,
    state: State,
}

/// Submits jobs in the transaction of another verb.
pub(super) async fn submit_in(
    tx: &mut Tx<'_>,
    submissions: &Vec<Submission>,
) -> Result<Vec<Submitted>, Failure> {
    if submissions.is_empty() {
        return Ok(Vec::new());
    }
    let newest = newest(tx, &[submissions]).await?;
    let now = Some(tx.now_at());
    let answers = write(tx, &[submissions], newest, now).await?;
    Ok(answers.into_iter().next().transpose()?.unwrap_or_default())
}

async fn write(
    tx: &mut Tx<'_>,
    group: &[&Vec<Submission>],
    mut newest: HashMap<(TenantId, Digest), Newest>,
    now: Option<Instant>,
) -> Result<Answers, Failure> {
    let (mut fresh, mut answers) = (Vec::new(), Vec::with_capacity(group.len()));
    for submissions in group {
        let mut answer = Vec::with_capacity(submissions.len());
        for submission in *submissions {
            answer.push(decide(tx, submission, &mut newest, &mut fresh)?);
        }
        answers.push(Ok(answer));
    }
    if !fresh.is_empty() {
        let jobs = NewJobs::of(fresh)?;
        let insert = sqlx::query(include_str!("../sql/insert_job.sql")).bind(tx.latest()).bind(now);
        tx.write_timed(row::bind_new_jobs(insert, &jobs)).await?;
    }
    Ok(answers)
}

fn decide(
    tx: &Tx<'_>,
    submission: &Submission,
    newest: &mut HashMap<(TenantId, Digest), Newest>,
    fresh: &mut Vec<NewJobRow>,
) -> Result<Submitted, Error> {
    let identity = (submission.job.tenant.clone(), submission.job.identity);
    let existing = newest.get(&identity).copied();
    if let Some(existing) = existing
        && !is_replaced(existing, submission)
    {
        return Ok(Submitted::Existing(existing.job));
    }
    // The statement knows the instant; nothing in a new job depends on it.
    let (spec, changes) = decide::submit(submission.job.clone(), tx.now());
    let incarnation = existing.map_or(1, |existing| existing.incarnation.saturating_add(1));
    let (job, run) = (spec.id, changes.run);
    let Ok([event]) = <[_; 1]>::try_from(changes.events) else {
        return Err(Error::Other("a new job has one event".into()));
    };
    newest.insert(identity, Newest { job, incarnation, state: run.state });
    fresh.push(NewJobRow { spec, run, event, incarnation });
    Ok(Submitted::Created(job))
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
