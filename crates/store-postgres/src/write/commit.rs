//! The guarded write of held work.

use std::collections::HashMap;

use koinon_domain::JobId;
use koinon_store::decide::{self, Decision, Locked};
use koinon_store::{Commit, Error, Fenced, HoldOutcome, Signal, Stored};

use super::basis::{Basis, Others};
use super::locked;
use super::save::Batch;
use crate::error::Failure;
use crate::lane::{Turn, Work};
use crate::memory::Known;
use crate::store::Shared;
use crate::tx::Tx;

type Answer = Result<Fenced<Signal>, Error>;

/// Commits of different jobs, decided and saved together.
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
        let saved = write_as_known(shared, group, turn).await?;
        let left: Vec<_> =
            group.iter().copied().filter(|one| !saved.contains_key(&one.job)).collect();
        let mut locked = Vec::new();
        if !left.is_empty() {
            let mut tx = Tx::begin(shared, &shared.pool).await?;
            let done = write_locked(&mut tx, &left).await;
            locked = tx.settle(done).await?;
        }
        Ok(in_order(group, &saved, locked))
    }
}

/// The answers in the order of the commits.
fn in_order(group: &[&Commit], saved: &HashMap<JobId, Signal>, locked: Vec<Answer>) -> Vec<Answer> {
    let mut locked = locked.into_iter();
    let answer = |commit: &&Commit| match saved.get(&commit.job) {
        Some(signal) => Some(Ok(Fenced::Applied(*signal))),
        None => locked.next(),
    };
    group.iter().filter_map(answer).collect()
}

/// Writes what can be written without a lock, and remembers it once it is durable.
async fn write_as_known(
    shared: &Shared,
    group: &[&Commit],
    turn: Turn,
) -> Result<HashMap<JobId, Signal>, Failure> {
    let mut tx = Tx::each(shared, &shared.pool).await?;
    let done = save_as_known(&mut tx, shared, group, turn).await;
    match tx.settle(done).await {
        Ok((signals, written)) => {
            shared.memory.keep(written);
            Ok(signals)
        }
        // Something was there that was not known of: all of it is looked at under lock.
        Err(failure) if failure.is_duplicate() => Ok(HashMap::new()),
        Err(failure) => Err(failure),
    }
}

/// Decides on rows as they are known, and saves what changes by one statement if they are still the versions that
/// are known. Every change of a job's other rows changes its run too, so that then all was as it was known. What
/// that is not enough for is left out: it is to be decided under lock.
async fn save_as_known(
    tx: &mut Tx<'_>,
    shared: &Shared,
    group: &[&Commit],
    turn: Turn,
) -> Result<(HashMap<JobId, Signal>, Vec<Known>), Failure> {
    let mut group = group.to_vec();
    // Statements that wait for one another do so in one order.
    group.sort_unstable_by_key(|commit| commit.job);
    let mut found = Basis::find(tx, &shared.memory, &group).await?;
    let (mut signals, mut open_after) = (HashMap::with_capacity(group.len()), HashMap::new());
    let mut batch = Batch::default();
    for commit in group {
        let Some(basis) = found.remove(&commit.job) else { continue };
        let before = basis.locked.run.clone();
        if let Ok(Fenced::Applied(Decision::Apply(changes, signal))) =
            decide::commit(basis.locked, commit.clone(), tx.now())
            && batch.add_known(before, basis.version, *changes)
        {
            signals.insert(commit.job, signal);
            open_after.insert(commit.job, basis.open_after);
        }
    }
    drop(turn);
    let saved = batch.save_narrow(tx).await?;
    signals.retain(|job, _| saved.contains_key(job));
    Ok((signals, batch.written(saved, open_after)))
}

/// Decides on rows that are locked together, and saves what changes.
async fn write_locked(tx: &mut Tx<'_>, group: &[&Commit]) -> Result<Vec<Answer>, Failure> {
    let jobs = group.iter().map(|commit| commit.job).collect();
    let mut runs = locked::standings(tx, jobs).await?;
    let mut others = Others::read(tx, group, |job| runs.get(&job)?.as_ref().ok()).await?;
    let (mut answers, mut batch) = (Vec::with_capacity(group.len()), Batch::default());
    for commit in group {
        let Some(run) = runs.remove(&commit.job) else {
            answers.push(Ok(Fenced::Stale));
            continue;
        };
        let locked = run.and_then(|run| others.with(run, commit));
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
