//! The guarded write of held work.

use koinon_domain::{CommitNo, EventName, Generation, HoldId, Progress, State, Timestamp, clean};

use super::{Changes, end, holds};
use crate::{
    Checkpoint, Commit, Entry, Error, Fenced, Hold, HoldOutcome, HoldState, Note, Refusal, Run,
    Signal, StoredCheckpoint,
};

/// The rows that a commit is decided on.
#[derive(Debug, Clone)]
pub struct Locked {
    /// The run row, or the outcome's.
    pub run: Run,
    /// The holds that the commit ends; and, if it ends the claim, every open hold of the job.
    pub holds: Vec<Hold>,
    /// Those of `holds` whose call has an answer already that serves replay: a call has one.
    pub answered: Vec<HoldId>,
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
    let Locked { run, holds: locked_holds, answered } = locked;
    match known(run.last_commit, commit.generation, commit.commit_no) {
        Known::Before => {
            let signal = signal_after(&run, exceeded_by(&commit, &locked_holds));
            return Ok(Fenced::Applied(Decision::Repeated(signal)));
        }
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
        changes.start(now)?;
    }
    check_starts(&changes.run, &commit)?;
    let (ended, open) = split(locked_holds, &commit);
    let mut exceeded = false;
    for one in commit.hold_ends {
        let hold = ended.iter().find(|hold| hold.id == one.id).ok_or_else(|| {
            Error::Invalid(format!("hold {} does not belong to this job", one.id))
        })?;
        if changes.entries.iter().any(|entry| entry.hold == one.id) {
            return Err(Error::Invalid(format!("hold {} ends twice", one.id)));
        }
        let outcome = with_one_answer(one.outcome, hold, &answered, &changes.entries);
        exceeded |= holds::end(&mut changes, hold, outcome, now)?;
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
        store_checkpoint(&mut changes, checkpoint, generation, now);
    }
    if let Some(progress) = commit.progress {
        changes.run.progress = Some(storable(progress));
    }
    for note in commit.notes {
        tell_note(&mut changes, &note, now);
    }
    changes.tell_marks(now);
    if let Some(how) = commit.end {
        end::end(&mut changes, how, &open, now)?;
    }
    if let Some(lease) = &mut changes.run.lease
        && lease.expires_at < now.after(commit.lease_for / 2)
    {
        lease.expires_at = now.after(commit.lease_for);
    }
    changes.run.last_commit = Some((generation, commit_no));
    let signal = signal_after(&changes.run, exceeded);
    Ok(Fenced::Applied(Decision::Apply(Box::new(changes), signal)))
}

/// What a worker learns from its commit; one that booked more than it held may have passed a limit.
fn signal_after(run: &Run, exceeded: bool) -> Signal {
    match signal(run) {
        Signal::Continue if exceeded => over_budget(run),
        other => other,
    }
}

/// Whether a commit that was applied before booked more than it held, so that its repeat answers alike.
fn exceeded_by(commit: &Commit, holds: &[Hold]) -> bool {
    commit.hold_ends.iter().any(|end| match &end.outcome {
        HoldOutcome::Settled { cost, .. } => {
            holds.iter().any(|hold| hold.id == end.id && cost.exceeds(hold.held))
        }
        HoldOutcome::Released { .. } | HoldOutcome::InDoubt => false,
    })
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
    let starts_work = starts_work(commit);
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

fn starts_work(commit: &Commit) -> bool {
    !commit.holds.is_empty() || commit.items_started > 0
}

/// New work belongs to a job that runs, and that goes on to run.
fn check_starts(run: &Run, commit: &Commit) -> Result<(), Error> {
    if starts_work(commit) && run.state != State::Running {
        return Err(Error::Invalid("a job that has not started opened a hold".into()));
    }
    if !commit.holds.is_empty() && commit.ends_claim() {
        return Err(Error::Invalid("a commit that ends its claim opened a hold".into()));
    }
    Ok(())
}

/// A settlement is never refused, but the first answer of a call is the one that serves replay: a late
/// one may have been booked while this call was under way.
fn with_one_answer(
    mut outcome: HoldOutcome,
    hold: &Hold,
    answered: &[HoldId],
    entries: &[Entry],
) -> HoldOutcome {
    if let HoldOutcome::Settled { usable, .. } = &mut outcome {
        let just_now = entries.iter().any(|entry| entry.usable && entry.call == hold.call);
        *usable &= !just_now && !answered.contains(&hold.id);
    }
    outcome
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

/// The checkpoint names the generation that its writer had, not the one that the row has, so that the tables
/// alone show whether the fence held.
fn store_checkpoint(
    changes: &mut Changes,
    checkpoint: Checkpoint,
    generation: Generation,
    now: Timestamp,
) {
    let run = &mut changes.run;
    if !run.streaks.checkpointed {
        run.streaks.checkpointed = true;
        run.attempt = koinon_domain::Attempt::new(1);
    }
    run.streaks.losses_without_checkpoint = 0;
    let key = checkpoint.key;
    let mut detail = vec![("stage".to_owned(), key.stage.to_string())];
    if let Some(item) = &key.item {
        detail.push(("item".to_owned(), item.to_string()));
    }
    changes.push(now, EventName::Checkpointed, None, detail.into_iter().collect());
    let result = checkpoint.result;
    changes.checkpoints.push(StoredCheckpoint { key, result, generation, at: now });
}

/// The progress as every store keeps it.
fn storable(progress: Progress) -> Progress {
    let most = i64::MAX.unsigned_abs();
    Progress {
        stage: progress.stage,
        done: progress.done.min(most),
        total: progress.total.min(most),
        unit: clean(&progress.unit, 64),
    }
}

fn tell_note(changes: &mut Changes, note: &Note, now: Timestamp) {
    // U+0000 in a text is refused by some databases and kept by others, so none gets there.
    let detail = note.detail.iter().map(|(key, value)| (clean(key, 200), clean(value, 2_000)));
    let name = EventName::from_stored(&clean(&note.name, 64));
    changes.push(now, name, None, detail.collect());
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
