//! No job is lost: each is in one place, has ended as it had to, and what it made can be read.

use super::{Finding, Promise};
use crate::chaos::evidence::Evidence;
use crate::chaos::jobs;
use crate::chaos::tables::Record;

pub(super) fn check(evidence: &Evidence) -> Vec<Finding> {
    let lost = |job: &str, says: String| Finding::new(Promise::LostJob, job, says);
    let missing = evidence.submitted.iter().filter(|job| !evidence.records.contains_key(*job));
    let mut findings: Vec<_> =
        missing.map(|job| lost(job, "was submitted and is not there".to_owned())).collect();
    for (job, record) in &evidence.records {
        findings.extend(end(record).map(|says| lost(job, says)));
        let unreadable = record.digests().filter(|digest| !evidence.blobs.contains(*digest));
        findings.extend(unreadable.map(|digest| {
            lost(job, format!("a row names artifact {digest}, which is missing or damaged"))
        }));
    }
    findings
}

/// What is wrong with the end of a job.
fn end(record: &Record) -> Option<String> {
    let Some(standing) = record.standing() else {
        let (runs, outcomes) = (record.runs.len(), record.outcomes.len());
        return Some(format!("has {runs} rows in runs and {outcomes} in outcomes"));
    };
    let (state, code) = jobs::end_of(&record.kind, standing);
    let is_terminal = ["succeeded", "failed", "cancelled"].contains(&standing.state.as_str());
    if standing.state != state || standing.error_code.as_deref() != code {
        let found = (&standing.state, &standing.error_code);
        return Some(format!("has to be {state} {code:?} and is {found:?}"));
    }
    if is_terminal == record.outcomes.is_empty() {
        return Some(format!("is {state}, and its row is in the other table"));
    }
    if standing.set_aside_at.is_some() {
        return Some("was set aside".to_owned());
    }
    (standing.open_holds != 0).then(|| format!("has {} open holds", standing.open_holds))
}
