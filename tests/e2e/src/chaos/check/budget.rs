//! No limit is passed at any instant, sums are those of the ledger, and nothing is spent beside it.

use std::collections::BTreeMap;

use super::{Finding, Promise};
use crate::chaos::evidence::Evidence;
use crate::chaos::tables::{AXES, Amounts, Entry, Record, Standing};

/// A hold: how it stands, and what was reserved for it.
type Hold<'a> = (&'a str, Amounts);

pub(super) fn check(job: &str, record: &Record) -> Vec<Finding> {
    let Some(standing) = record.standing() else { return Vec::new() };
    let mut says = Vec::new();
    let mut holds: BTreeMap<&str, Hold<'_>> = BTreeMap::new();
    let mut spent = Amounts::default();
    for entry in &record.ledger {
        let last = holds.get(entry.hold_id.as_str()).copied();
        if !follows(last.map(|(kind, _)| kind), &entry.kind) {
            says.push(format!("hold {} went from {last:?} to {}", entry.hold_id, entry.kind));
        }
        if ["settled", "released", "reconciled"].contains(&entry.kind.as_str()) {
            spent = sum(spent, entry.amounts);
        }
        let held = last.map_or(entry.amounts, |(_, held)| held);
        holds.insert(&entry.hold_id, (&entry.kind, held));
        let total = sum(spent, sum(held_as("reserved", &holds), held_as("in_doubt", &holds)));
        says.extend(above(standing, total, entry));
    }
    let sums = [
        ("spent", standing.spent, spent),
        ("reserved", standing.reserved, held_as("reserved", &holds)),
        ("in doubt", standing.in_doubt, held_as("in_doubt", &holds)),
    ];
    for (name, row, ledger) in sums.into_iter().filter(|(_, row, ledger)| row != ledger) {
        says.push(format!("the ledger's {name} is {ledger:?}, and the row says {row:?}"));
    }
    says.into_iter().map(|says| Finding::new(Promise::Overspent, job, says)).collect()
}

/// Every request has a hold that was opened for it.
pub(super) fn requests_without_holds(evidence: &Evidence) -> Vec<Finding> {
    let mut holds: BTreeMap<String, usize> = BTreeMap::new();
    let entries = evidence.records.values().flat_map(|record| &record.ledger);
    for entry in entries.filter(|entry| entry.kind == "reserved") {
        *holds.entry(entry.key()).or_default() += 1;
    }
    let mut findings = Vec::new();
    for (key, requests) in evidence.requests_by_key() {
        let holds = holds.get(key).copied().unwrap_or(0);
        if requests.len() > holds {
            let says = format!("{} requests under key {key}, and {holds} holds", requests.len());
            findings.push(Finding::new(Promise::Overspent, &requests[0].job, says));
        }
    }
    findings
}

fn follows(last: Option<&str>, next: &str) -> bool {
    match next {
        "reserved" => last.is_none(),
        "settled" | "released" | "in_doubt" => last == Some("reserved"),
        "reconciled" => last == Some("in_doubt"),
        _ => false,
    }
}

fn held_as(wanted: &str, holds: &BTreeMap<&str, Hold<'_>>) -> Amounts {
    let of_kind = holds.values().filter(|(kind, _)| *kind == wanted);
    of_kind.fold(Amounts::default(), |total, (_, held)| sum(total, *held))
}

fn above<'a>(
    standing: &'a Standing,
    total: Amounts,
    entry: &'a Entry,
) -> impl Iterator<Item = String> + 'a {
    let axes = AXES.iter().zip(standing.limit).zip(total);
    axes.filter_map(|((axis, limit), total)| Some((axis, limit?, total)))
        .filter(|(_, limit, total)| total > limit)
        .map(|(axis, limit, total)| {
            let Entry { kind, hold_id, .. } = entry;
            format!("{axis} is at {total} of {limit} once hold {hold_id} is {kind}")
        })
}

fn sum(one: Amounts, other: Amounts) -> Amounts {
    std::array::from_fn(|axis| one[axis] + other[axis])
}
