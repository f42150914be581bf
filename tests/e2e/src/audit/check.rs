//! The invariants that hold over every job at every instant.

use std::collections::{BTreeMap, BTreeSet};

use super::{Amounts, Audit};

const TERMINAL: [&str; 3] = ["succeeded", "failed", "cancelled"];

/// Holds a job against all of them.
pub(super) fn check(audit: &Audit) {
    history_has_no_gap(audit);
    each_end_has_one_terminal_event(audit);
    sums_are_those_of_the_ledger(audit);
    checkpoints_are_unique(audit);
    a_call_has_one_usable_answer(audit);
}

fn history_has_no_gap(audit: &Audit) {
    let mut state: Option<&str> = None;
    for (event, seq) in audit.events.iter().zip(1..) {
        assert_eq!(event.seq, seq, "the history has a gap: {:#?}", audit.events);
        if let Some(from) = &event.from {
            assert_eq!(Some(from.as_str()), state, "event {seq} begins elsewhere: {event:?}");
        }
        if let Some(to) = &event.to {
            state = Some(to);
        }
    }
    assert_eq!(state, Some(audit.standing.state.as_str()), "the history ends elsewhere");
    assert!(audit.events.is_sorted_by_key(|event| event.at), "time went backwards");
}

/// Exactly one, unless the job was explicitly retried in between.
fn each_end_has_one_terminal_event(audit: &Audit) {
    let is_terminal =
        |state: &Option<String>| state.as_deref().is_some_and(|state| TERMINAL.contains(&state));
    let ends = audit.events.iter().filter(|event| is_terminal(&event.to)).count();
    let retries = audit.events("retried").len();
    let wanted = retries + usize::from(TERMINAL.contains(&audit.standing.state.as_str()));
    assert_eq!(ends, wanted, "terminal events of {:#?}", audit.events);
}

fn sums_are_those_of_the_ledger(audit: &Audit) {
    let mut holds: BTreeMap<&str, (&str, Amounts)> = BTreeMap::new();
    let mut spent = Amounts::default();
    for entry in &audit.ledger {
        let last = holds.get(entry.hold.as_str()).map(|(kind, _)| *kind);
        match (last, entry.kind.as_str()) {
            (None, "reserved") | (Some("reserved"), "in_doubt") => {}
            (Some("reserved"), "settled" | "released") | (Some("in_doubt"), "reconciled") => {
                spent = sum(spent, entry.amounts);
            }
            (last, now) => panic!("a hold went from {last:?} to {now}: {entry:?}"),
        }
        let held = holds.get(entry.hold.as_str()).map_or(entry.amounts, |(_, held)| *held);
        holds.insert(&entry.hold, (&entry.kind, held));
    }
    let standing = |wanted: &str| {
        let of_kind = holds.values().filter(|(kind, _)| *kind == wanted);
        of_kind.fold(Amounts::default(), |total, (_, held)| sum(total, *held))
    };
    assert_eq!(audit.standing.spent, spent, "spent");
    assert_eq!(audit.standing.reserved, standing("reserved"), "reserved");
    assert_eq!(audit.standing.in_doubt, standing("in_doubt"), "in doubt");
    let open = holds.values().filter(|(kind, _)| *kind == "reserved").count();
    assert_eq!(usize::try_from(audit.standing.open_holds), Ok(open), "open holds");
    if !["running", "pausing", "cancelling"].contains(&audit.standing.state.as_str()) {
        assert_eq!(open, 0, "a job that nobody runs has open holds");
    }
}

fn checkpoints_are_unique(audit: &Audit) {
    let keys: BTreeSet<_> = audit.checkpoints.iter().collect();
    assert_eq!(keys.len(), audit.checkpoints.len(), "a checkpoint stands there twice");
    let told = audit.events("checkpointed").len();
    assert_eq!(told, audit.checkpoints.len(), "checkpoints and their events");
}

fn a_call_has_one_usable_answer(audit: &Audit) {
    let mut answered = BTreeSet::new();
    for entry in audit.ledger.iter().filter(|entry| entry.usable) {
        assert!(answered.insert(&entry.call), "a call has two usable answers: {entry:?}");
    }
}

const fn sum(one: Amounts, other: Amounts) -> Amounts {
    Amounts {
        cost: one.cost + other.cost,
        calls: one.calls + other.calls,
        input_tokens: one.input_tokens + other.input_tokens,
        output_tokens: one.output_tokens + other.output_tokens,
    }
}

#[cfg(test)]
mod tests;
