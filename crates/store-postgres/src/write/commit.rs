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
        let mut tx = Tx::each(shared, &shared.pool).await?;
        let done = write_as_read(&mut tx, group, turn).await;
        let saved = tx.settle(done).await?;
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

/// Writes what can be written without a lock: the rows are read, decided on, and saved by one statement if they
/// are still the versions that were read. Every change of a job's other rows changes its run too, so that all
/// was as it was read. What that is not enough for is left out: it is to be decided under lock.
async fn write_as_read(
    tx: &mut Tx<'_>,
    group: &[&Commit],
    turn: Turn,
) -> Result<HashMap<JobId, Signal>, Failure> {
    let mut group = group.to_vec();
    // Statements that wait for one another do so in one order.
    group.sort_unstable_by_key(|commit| commit.job);
    let mut runs = locked::read_runs(tx, group.iter().map(|commit| commit.job).collect()).await?;
    let mut others = Others::read(tx, &group, |job| runs.get(&job).map(|(run, _)| run)).await?;
    let (mut signals, mut batch) = (HashMap::with_capacity(group.len()), Batch::default());
    for commit in group {
        let Some((run, version)) = runs.remove(&commit.job) else { continue };
        let Ok(locked) = others.with(run, commit) else { continue };
        let before = locked.run.clone();
        if let Ok(Fenced::Applied(Decision::Apply(changes, signal))) =
            decide::commit(locked, commit.clone(), tx.now())
            && batch.add_read(before, version, *changes)
        {
            signals.insert(commit.job, signal);
        }
    }
    drop(turn);
    let saved = batch.save_narrow(tx).await?;
    signals.retain(|job, _| saved.contains(job));
    Ok(signals)
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

/// The rows besides their runs that commits are decided on.
struct Others {
    /// The holds that they end.
    ended: HashMap<HoldId, LockedHold>,
    /// The holds that the claims have open which they end.
    open: HashMap<JobId, Result<Vec<Hold>, Error>>,
}

impl Others {
    async fn read<'r>(
        tx: &mut Tx<'_>,
        group: &[&Commit],
        run: impl Fn(JobId) -> Option<&'r Run>,
    ) -> Result<Self, Failure> {
        let ends = group.iter().flat_map(|commit| &commit.hold_ends).map(|end| end.id).collect();
        let leaving = group.iter().filter_map(|commit| leaves_open(commit, run(commit.job)?));
        let leaving = leaving.collect();
        let ended = locked::holds(tx, ends).await?;
        Ok(Self { ended, open: locked::open_holds(tx, leaving).await? })
    }

    /// All rows that one commit is decided on.
    fn with(&mut self, run: Run, commit: &Commit) -> Result<Locked, Error> {
        let open = self.open.remove(&commit.job).unwrap_or_else(|| Ok(Vec::new()))?;
        let (mut holds, mut answered) = (Vec::new(), Vec::new());
        for end in &commit.hold_ends {
            if self.ended.get(&end.id).is_some_and(|found| found.job == commit.job)
                && let Some(found) = self.ended.remove(&end.id)
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
}

/// The claim of a commit that ends it with more holds open than the commit ends itself. The row counts its
/// open holds, so that most claims end without looking for any.
fn leaves_open(commit: &Commit, run: &Run) -> Option<(JobId, Generation)> {
    let ends = u32::try_from(commit.hold_ends.len()).unwrap_or(u32::MAX);
    (commit.ends_claim() && run.open_holds > ends).then_some((run.job, run.generation))
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
