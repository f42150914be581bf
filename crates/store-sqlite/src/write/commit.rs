//! The guarded write of held work.

use std::collections::HashMap;
use std::sync::Arc;

use koinon_domain::HoldId;
use koinon_store::decide::{self, Decision, Locked};
use koinon_store::{Commit, Error, Fenced, Run, Signal};

use super::found::Found;
use super::locked::{self, LockedHold};
use super::save::save;
use crate::error::Failure;
use crate::tx::Tx;
use crate::writer::CommitCall;

/// Decides commits of different jobs on rows that are read together, and saves those that are applied
/// together. What is wrong with one commit is its own answer and writes nothing.
pub(crate) fn commit(tx: &mut Tx<'_>, calls: &mut [&mut CommitCall]) -> Result<(), Failure> {
    let commits = calls.iter().map(|call| call.request());
    let Found { mut runs, mut holds } = Found::read(tx, commits)?;
    for call in calls {
        let commit = call.request();
        let Some(run) = runs.remove(&commit.job) else {
            call.keep(Ok(Fenced::Stale));
            continue;
        };
        let answer = match lock(tx, run, commit, &mut holds) {
            Ok(locked) => decide(tx, locked, commit.clone()),
            Err(Failure::Verb(error)) => Err(error),
            Err(failure) => return Err(failure),
        };
        call.keep(answer);
    }
    Ok(())
}

fn decide(tx: &mut Tx<'_>, locked: Locked, commit: Commit) -> Result<Fenced<Signal>, Error> {
    let before = locked.run.clone();
    Ok(match decide::commit(locked, commit, tx.now())? {
        Fenced::Applied(Decision::Repeated(signal)) => Fenced::Applied(signal),
        Fenced::Applied(Decision::Apply(changes, signal)) => {
            save(tx, before, *changes);
            Fenced::Applied(signal)
        }
        Fenced::Stale => Fenced::Stale,
        Fenced::Refused(refusal) => Fenced::Refused(refusal),
    })
}

/// The rows that one commit is decided on.
fn lock(
    tx: &mut Tx<'_>,
    run: Result<Arc<Run>, Error>,
    commit: &Commit,
    ended: &mut HashMap<HoldId, LockedHold>,
) -> Result<Locked, Failure> {
    let run = Arc::unwrap_or_clone(run?);
    let (mut holds, mut answered) = (Vec::new(), Vec::new());
    for end in &commit.hold_ends {
        // A hold of another job stays for the commit of that job.
        if ended.get(&end.id).is_some_and(|found| found.job == commit.job)
            && let Some(found) = ended.remove(&end.id)
        {
            holds.push(found.hold?);
            answered.extend(found.is_answered.then_some(found.id));
        }
    }
    // The row counts its open holds, so that most claims end without looking for any.
    let ends = u32::try_from(holds.len()).unwrap_or(u32::MAX);
    if commit.ends_claim() && run.open_holds > ends {
        let open = locked::open_holds(tx, run.job, run.generation)?;
        let others =
            open.into_iter().filter(|hold| commit.hold_ends.iter().all(|end| end.id != hold.id));
        holds.extend(others);
    }
    Ok(Locked { run, holds, answered })
}
