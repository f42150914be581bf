//! A call that has an answer to be replayed is not made again.

use std::collections::BTreeMap;

use super::{Finding, Promise};
use crate::chaos::evidence::Evidence;
use crate::chaos::tables::Entry;

pub(super) fn check(evidence: &Evidence) -> Vec<Finding> {
    let mut calls: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
    for entry in evidence.records.values().flat_map(|record| &record.ledger) {
        calls.entry(entry.key()).or_default().push(entry);
    }
    let mut findings = Vec::new();
    for (key, requests) in evidence.requests_by_key() {
        let Some(entries) = calls.get(key) else { continue };
        let Some(at) = entries.iter().position(|entry| entry.usable == 1) else { continue };
        let settled = entries[at];
        let late = requests.iter().filter(|request| request.at > settled.at).count();
        let excused = under_way(&entries[..at], settled, requests.len() - late);
        if late > excused {
            let says = format!(
                "{late} requests after the answer was stored, {excused} of them under way then: \
                 call {}",
                settled.call
            );
            let repeated = Finding::new(Promise::RepeatedCall, &settled.job_id, says);
            findings.extend(std::iter::repeat_n(repeated, late - excused));
        }
        let answers = entries.iter().filter(|entry| entry.usable == 1).count();
        if answers > 1 {
            let says = format!("call {} has {answers} usable answers", settled.call);
            findings.push(Finding::new(Promise::RepeatedCall, &settled.job_id, says));
        }
    }
    findings
}

/// How many requests could still be under way when an answer was stored: those whose holds had been opened
/// by then, and that the provider had not got yet. They could not know of the answer.
fn under_way(before: &[&Entry], settled: &Entry, arrived: usize) -> usize {
    let mut kinds: BTreeMap<&str, &str> = BTreeMap::new();
    for entry in before {
        kinds.insert(&entry.hold_id, &entry.kind);
    }
    let unsent = kinds.len().saturating_sub(arrived);
    kinds.remove(settled.hold_id.as_str());
    let without_answer = kinds.values().filter(|kind| ["reserved", "in_doubt"].contains(kind));
    without_answer.count().min(unsent)
}
