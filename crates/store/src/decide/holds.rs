//! Opening and ending holds: the ledger's side of a write.

use koinon_budget::{Amounts, Axis, Usage};
use koinon_domain::{EventName, Timestamp, clean};

use super::Changes;
use crate::{Entry, EntryKind, Error, Hold, HoldOutcome, HoldState, NewHold, Outcome, Priced, Run};

/// What a reconciliation comes to.
#[derive(Debug)]
pub enum ReconcileDecision {
    /// To be saved.
    Apply(Box<Changes>),
    /// The hold is open or has ended.
    NotInDoubt,
}

/// Ends an in-doubt hold with what was learnt about it. `answered` says whether the call has an
/// answer that serves replay already.
#[must_use]
pub fn reconcile(
    run: Run,
    hold: &Hold,
    outcome: &Outcome,
    answered: bool,
    now: Timestamp,
) -> ReconcileDecision {
    if hold.state != HoldState::InDoubt {
        return ReconcileDecision::NotInDoubt;
    }
    let mut changes = Changes::new(run);
    let mut entry = entry(&changes.run, hold, EntryKind::Reconciled, now);
    match outcome {
        Outcome::Charged { cost, usage, answer } => {
            entry.amounts = *cost;
            entry.usage = usage.map(Usage::countable);
            entry.answer.clone_from(answer);
            entry.usable = answer.is_some() && !answered;
        }
        // An in-doubt request was sent, so it stays counted as a call.
        Outcome::Nothing => entry.amounts = Amounts { calls: 1, ..Amounts::ZERO },
    }
    changes.run.balance.reconcile(hold.held, entry.amounts);
    let detail = [("hold", hold.id.to_string()), ("cost_usd", entry.amounts.cost.to_string())];
    changes.entries.push(entry);
    changes.tell(now, EventName::Reconciled, detail);
    changes.tell_marks(now);
    ReconcileDecision::Apply(Box::new(changes))
}

/// Opens a hold; the caller has checked that it fits.
pub(crate) fn open(changes: &mut Changes, new: NewHold, now: Timestamp) {
    let hold = Hold {
        id: new.id,
        state: HoldState::Open,
        generation: changes.run.generation,
        call: new.call,
        priced: Priced {
            provider: clean(&new.priced.provider, 200),
            model: clean(&new.priced.model, 200),
            profile: new.priced.profile,
        },
        held: new.held,
    };
    let entry = entry(&changes.run, &hold, EntryKind::Reserved, now);
    changes.run.balance.reserve(hold.held);
    changes.run.open_holds = changes.run.open_holds.saturating_add(1);
    changes.entries.push(entry);
}

/// Ends an open hold. Returns whether it cost more than it held.
pub(crate) fn end(
    changes: &mut Changes,
    hold: &Hold,
    outcome: HoldOutcome,
    now: Timestamp,
) -> Result<bool, Error> {
    if hold.state != HoldState::Open {
        return Err(Error::Invalid(format!("hold {} is not open", hold.id)));
    }
    let run = &mut changes.run;
    run.open_holds = run.open_holds.saturating_sub(1);
    let exceeded = match outcome {
        HoldOutcome::Settled { cost, usage, estimated, answer, usable } => {
            let mut entry = entry(run, hold, EntryKind::Settled, now);
            (entry.amounts, entry.usage, entry.estimated) =
                (cost, Some(usage.countable()), estimated);
            (entry.answer, entry.usable) = (answer, usable);
            run.balance.settle(hold.held, cost);
            changes.entries.push(entry);
            cost.exceeds(hold.held)
        }
        HoldOutcome::Released { sent } => {
            let mut entry = entry(run, hold, EntryKind::Released, now);
            entry.amounts = Amounts { calls: i64::from(sent), ..Amounts::ZERO };
            run.balance.settle(hold.held, entry.amounts);
            changes.entries.push(entry);
            false
        }
        HoldOutcome::InDoubt => {
            let entry = entry(run, hold, EntryKind::InDoubt, now);
            run.balance.doubt(hold.held);
            changes.entries.push(entry);
            false
        }
    };
    if exceeded {
        let spent = changes.entries.last().map(|entry| entry.amounts).unwrap_or_default();
        let above: Vec<_> = Axis::ALL
            .into_iter()
            .filter(|axis| spent.on(*axis) > hold.held.on(*axis))
            .map(Axis::as_str)
            .collect();
        let detail = [
            ("hold", hold.id.to_string()),
            ("axes", above.join(",")),
            ("held_usd", hold.held.cost.to_string()),
            ("cost_usd", spent.cost.to_string()),
        ];
        changes.tell(now, EventName::HoldExceeded, detail);
    }
    Ok(exceeded)
}

/// Marks every hold that is still open as in doubt, because its claim is over.
pub(crate) fn doubt_all(
    changes: &mut Changes,
    holds: &[Hold],
    now: Timestamp,
) -> Result<(), Error> {
    for hold in holds.iter().filter(|hold| hold.state == HoldState::Open) {
        end(changes, hold, HoldOutcome::InDoubt, now)?;
    }
    Ok(())
}

fn entry(run: &Run, hold: &Hold, kind: EntryKind, now: Timestamp) -> Entry {
    Entry {
        hold: hold.id,
        job: run.job,
        kind,
        generation: hold.generation,
        at: now,
        call: hold.call.clone(),
        priced: hold.priced.clone(),
        amounts: hold.held,
        usage: None,
        estimated: false,
        answer: None,
        usable: false,
    }
}
