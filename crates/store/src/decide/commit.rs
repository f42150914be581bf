//! The guarded write of held work.

use koinon_domain::{Cause, CommitNo, EventName, Generation, State, Timestamp};

use super::{Changes, end, holds};
use crate::{
    Checkpoint, Commit, Error, Fenced, Hold, HoldState, Note, Refusal, Run, Signal,
    StoredCheckpoint,
};

/// The rows that a commit is decided on.
#[derive(Debug, Clone)]
pub struct Locked {
    /// The run row, or the outcome's.
    pub run: Run,
    /// The holds that the commit ends; and, if it ends the claim, every open hold of the job.
    pub holds: Vec<Hold>,
}

/// What a commit comes to, once the fence held.
#[derive(Debug)]
pub enum Decision {
    /// It was applied before; nothing is to be saved.
    Repeated(Signal),
    /// To be saved.
    Apply(Box<Changes>, Signal),
}

/// Decides a commit.
///
/// # Errors
///
/// [`Error::Invalid`] or [`Error::State`] if the worker asks for what can never be, such as settling a
/// hold twice.
pub fn commit(locked: Locked, commit: Commit, now: Timestamp) -> Result<Fenced<Decision>, Error> {
    let Locked { run, holds: locked_holds } = locked;
    match known(run.last_commit, commit.generation, commit.commit_no) {
        Known::Before => return Ok(Fenced::Applied(Decision::Repeated(signal(&run)))),
        Known::Overtaken => return Ok(Fenced::Stale),
        Known::New => {}
    }
    if !holds_fence(&run, &commit) {
        return Ok(Fenced::Stale);
    }
    if let Some(refusal) = refused_by_state(&run, &commit, now) {
        return Ok(Fenced::Refused(refusal));
    }
    let (generation, commit_no) = (commit.generation, commit.commit_no);
    let mut changes = Changes::new(run);
    changes.count_run_time(now);
    if commit.started && changes.run.state == State::Leased {
        changes.transition(now, Cause::Started, [])?;
        changes.run.failed = None;
    }
    let (ended, open) = split(locked_holds, &commit);
    let mut exceeded = false;
    for one in commit.hold_ends {
        let hold = ended.iter().find(|hold| hold.id == one.id).ok_or_else(|| {
            Error::Invalid(format!("hold {} does not belong to this job", one.id))
        })?;
        exceeded |= holds::end(&mut changes, hold, one.outcome, now)?;
    }
    if commit.items_started > 0 {
        let items = i64::from(commit.items_started);
        if let Err(refusal) = changes.run.balance.check_items(&changes.run.limits, items) {
            return Ok(Fenced::Refused(refusal.into()));
        }
        changes.run.balance.items += items;
    }
    for hold in commit.holds {
        if let Err(refusal) = changes.run.balance.check(&changes.run.limits, hold.held) {
            return Ok(Fenced::Refused(refusal.into()));
        }
        holds::open(&mut changes, hold, now);
    }
    for checkpoint in commit.checkpoints {
        store_checkpoint(&mut changes, checkpoint, now);
    }
    if let Some(progress) = commit.progress {
        changes.run.progress = Some(progress);
    }
    for note in commit.notes {
        tell_note(&mut changes, note, now);
    }
    changes.tell_marks(now);
    if let Some(how) = commit.end {
        end::end(&mut changes, how, &open, now)?;
    }
    if let Some(lease) = &mut changes.run.lease {
        lease.expires_at = now.after(commit.lease_for);
    }
    changes.run.last_commit = Some((generation, commit_no));
    let signal = match signal(&changes.run) {
        Signal::Continue if exceeded => over_budget(&changes.run),
        other => other,
    };
    Ok(Fenced::Applied(Decision::Apply(Box::new(changes), signal)))
}

enum Known {
    New,
    Before,
    Overtaken,
}

/// A commit is known by its pair before the fence is looked at, so that a worker whose answer was
/// lost learns that it was applied, even when the commit itself ended the claim.
fn known(last: Option<(Generation, CommitNo)>, generation: Generation, no: CommitNo) -> Known {
    match last {
        Some((at, _)) if at > generation => Known::Overtaken,
        Some((at, last)) if at == generation && no <= last => Known::Before,
        _ => Known::New,
    }
}

fn holds_fence(run: &Run, commit: &Commit) -> bool {
    run.job == commit.job
        && run.generation == commit.generation
        && run.tenant == commit.tenant
        && run.lease.is_some_and(|lease| lease.owner == commit.owner)
        && run.state.is_held()
}

/// New work needs a running job under a live lease; what was done may be written in every held state.
fn refused_by_state(run: &Run, commit: &Commit, now: Timestamp) -> Option<Refusal> {
    let starts_work = !commit.holds.is_empty() || commit.items_started > 0;
    if !starts_work && !commit.started {
        return None;
    }
    match signal(run) {
        Signal::Continue => {}
        stop => return Some(Refusal::Signalled(stop)),
    }
    let expires_at = run.lease.map(|lease| lease.expires_at)?;
    (starts_work && expires_at < now).then_some(Refusal::LeaseExpired { at: expires_at })
}

/// The holds that the commit ends itself, and those that are left open.
fn split(holds: Vec<Hold>, commit: &Commit) -> (Vec<Hold>, Vec<Hold>) {
    holds
        .into_iter()
        .filter(|hold| hold.state == HoldState::Open || is_ended_by(hold, commit))
        .partition(|hold| is_ended_by(hold, commit))
}

fn is_ended_by(hold: &Hold, commit: &Commit) -> bool {
    commit.hold_ends.iter().any(|end| end.id == hold.id)
}

fn store_checkpoint(changes: &mut Changes, checkpoint: Checkpoint, now: Timestamp) {
    let run = &mut changes.run;
    if !run.streaks.checkpointed {
        run.streaks.checkpointed = true;
        run.attempt = koinon_domain::Attempt::new(1);
    }
    run.streaks.losses_without_checkpoint = 0;
    let generation = run.generation;
    let key = checkpoint.key;
    let mut detail = vec![("stage".to_owned(), key.stage.to_string())];
    if let Some(item) = &key.item {
        detail.push(("item".to_owned(), item.to_string()));
    }
    changes.push(now, EventName::Checkpointed, None, detail.into_iter().collect());
    let result = checkpoint.result;
    changes.checkpoints.push(StoredCheckpoint { key, result, generation, at: now });
}

fn tell_note(changes: &mut Changes, note: Note, now: Timestamp) {
    let name = EventName::from_stored(&note.name);
    changes.push(now, name, None, note.detail.into_iter().collect());
}

/// What the job's state asks of its worker.
pub(crate) const fn signal(run: &Run) -> Signal {
    match run.state {
        State::Pausing | State::Paused => Signal::Pause,
        State::Cancelling | State::Cancelled => Signal::Cancel,
        State::Queued
        | State::Leased
        | State::Running
        | State::RetryWait
        | State::Succeeded
        | State::Failed => Signal::Continue,
    }
}

/// The signal of a job whose spending has passed a limit, if it has.
pub(crate) fn over_budget(run: &Run) -> Signal {
    let Some(axis) = run.balance.overrun(&run.limits) else { return Signal::Continue };
    Signal::OverBudget(koinon_budget::Exceeded {
        axis,
        limit: run.limits.on(axis).unwrap_or_default(),
        spent: run.balance.spent_on(axis),
        reserved: run.balance.reserved.plus(run.balance.in_doubt).on(axis),
        asked: 0,
    })
}
