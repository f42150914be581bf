//! What the evidence is held against. Nothing here uses code of the engine.

mod budget;
mod commits;
mod ends;
mod history;
mod repeats;

use std::collections::BTreeSet;

use super::evidence::Evidence;

/// A promise that was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Promise {
    LostJob,
    DoubleCommit,
    RepeatedCall,
    Overspent,
    EventGap,
}

/// One breach of a promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) promise: Promise,
    pub(super) job: String,
    pub(super) says: String,
}

impl Finding {
    fn new(promise: Promise, job: &str, says: impl Into<String>) -> Self {
        Self { promise, job: job.to_owned(), says: says.into() }
    }
}

/// Every breach that the evidence shows.
pub(super) fn check(evidence: &Evidence) -> Vec<Finding> {
    let mut findings = ends::check(evidence);
    findings.extend(repeats::check(evidence));
    for (job, record) in &evidence.records {
        findings.extend(commits::check(job, record));
        findings.extend(budget::check(job, record));
        findings.extend(history::check(job, record));
    }
    findings.extend(budget::requests_without_holds(evidence));
    findings
}

/// How many jobs a promise was broken for.
pub(super) fn jobs(findings: &[Finding], promise: Promise) -> usize {
    let of_promise = findings.iter().filter(|finding| finding.promise == promise);
    of_promise.map(|finding| &finding.job).collect::<BTreeSet<_>>().len()
}

/// How often a promise was broken.
pub(super) fn times(findings: &[Finding], promise: Promise) -> usize {
    findings.iter().filter(|finding| finding.promise == promise).count()
}

#[cfg(test)]
mod tests;
