//! The guarded write of held work.

use std::collections::HashMap;

use koinon_domain::{Generation, HoldId, JobId};
use koinon_store::decide::{self, Decision, Locked};
use koinon_store::{Commit, Error, Fenced, Hold, HoldOutcome, Run, Signal, Stored};

use super::locked::{self, LockedHold};
use super::save::Batch;
use crate::error::Failure;
use crate::lane::{Turn, Work};
use crate::store::Shared;
use crate::tx::Tx;

type Answer = Result<Fenced<Signal>, Error>;

/// Commits of different jobs, decided on rows that are locked together, and saved together.
#[derive(Debug)]
pub(crate) struct Commits;

impl Work for Commits {
    type Request = Commit;
    type Answer = Fenced<Signal>;

    fn bytes(commit: &Commit) -> usize {
        stored(commit).map(inline).sum()
    }

    fn fits(group: &[&Commit], commit: &Commit) -> bool {
        group.iter().all(|member| member.job != commit.job)
    }

    async fn run(shared: &Shared, group: &[&Commit], turn: Turn) -> Result<Vec<Answer>, Failure> {
        let mut tx = Tx::begin(shared, &shared.pool).await?;
        let done = write(&mut tx, group).await;
        drop(turn);
        tx.settle(done).await
    }
}

async fn write(tx: &mut Tx<'_>, group: &[&Commit]) -> Result<Vec<Answer>, Failure> {
    let jobs = group.iter().map(|commit| commit.job).collect();
    let mut runs = locked::standings(tx, jobs).await?;
    let ends = group.iter().flat_map(|commit| &commit.hold_ends).map(|end| end.id).collect();
    let mut holds = locked::holds(tx, ends).await?;
    let leaving = group.iter().filter_map(|commit| leaves_open(commit, &runs)).collect();
    let mut open = locked::open_holds(tx, leaving).await?;
    let (mut answers, mut batch) = (Vec::with_capacity(group.len()), Batch::default());
    for commit in group {
        let Some(run) = runs.remove(&commit.job) else {
            answers.push(Ok(Fenced::Stale));
            continue;
        };
        let open = open.remove(&commit.job).unwrap_or_else(|| Ok(Vec::new()));
        let locked = run.and_then(|run| lock(run, commit, &mut holds, open?));
        answers.push(locked.and_then(|locked| decide(tx, locked, commit, &mut batch)));
    }
    batch.save(tx).await?;
    Ok(answers)
}

fn decide(tx: &Tx<'_>, locked: Locked, commit: &Commit, batch: &mut Batch) -> Answer {
    let before = locked.run.clone();
    Ok(match decide::commit(locked, commit.clone(), tx.now())? {
        Fenced::Applied(Decision::Repeated(signal)) => Fenced::Applied(signal),
        Fenced::Applied(Decision::Apply(changes, signal)) => {
            batch.add(before, *changes);
            Fenced::Applied(signal)
        }
        Fenced::Stale => Fenced::Stale,
        Fenced::Refused(refusal) => Fenced::Refused(refusal),
    })
}

/// The claim of a commit that ends it with more holds open than the commit ends itself. The row counts its
/// open holds, so that most claims end without looking for any.
fn leaves_open(
    commit: &Commit,
    runs: &HashMap<JobId, Result<Run, Error>>,
) -> Option<(JobId, Generation)> {
    let run = runs.get(&commit.job)?.as_ref().ok()?;
    let ends = u32::try_from(commit.hold_ends.len()).unwrap_or(u32::MAX);
    (commit.ends_claim() && run.open_holds > ends).then_some((run.job, run.generation))
}

/// The rows that one commit is decided on.
fn lock(
    run: Run,
    commit: &Commit,
    ended: &mut HashMap<HoldId, LockedHold>,
    open: Vec<Hold>,
) -> Result<Locked, Error> {
    let (mut holds, mut answered) = (Vec::new(), Vec::new());
    for end in &commit.hold_ends {
        if ended.get(&end.id).is_some_and(|found| found.job == commit.job)
            && let Some(found) = ended.remove(&end.id)
        {
            holds.push(found.hold?);
            answered.extend(found.is_answered.then_some(found.id));
        }
    }
    holds.extend(
        open.into_iter().filter(|hold| commit.hold_ends.iter().all(|end| end.id != hold.id)),
    );
    Ok(Locked { run, holds, answered })
}

/// The results and answers that a commit brings.
fn stored(commit: &Commit) -> impl Iterator<Item = &Stored> {
    let results = commit.checkpoints.iter().map(|checkpoint| &checkpoint.result);
    let answers = commit.hold_ends.iter().filter_map(|end| match &end.outcome {
        HoldOutcome::Settled { answer, .. } => answer.as_ref(),
        HoldOutcome::Released { .. } | HoldOutcome::InDoubt => None,
    });
    results.chain(answers)
}

const fn inline(stored: &Stored) -> usize {
    match stored {
        Stored::Inline(bytes) => bytes.len(),
        Stored::Blob { .. } => 0,
    }
}
