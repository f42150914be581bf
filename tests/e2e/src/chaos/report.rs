//! What is told at the end.

use std::fmt;

use serde::Serialize;

use super::check::{Finding, Promise, jobs, times};
use super::evidence::Evidence;
use super::fleet::Seen;
use super::folder::Left;
use super::havoc::Done;

/// So many breaches are told one by one.
const TOLD_MAX: usize = 40;

/// What came of a run.
#[derive(Debug, Default)]
pub struct Report {
    pub(super) seed: u64,
    pub(super) done: Done,
    pub(super) seen: Seen,
    pub(super) evidence: Evidence,
    pub(super) findings: Vec<Finding>,
    pub(super) stale_writes_refused: usize,
    pub(super) left: Option<Left>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Every promise was kept.
    Kept,
    /// A promise was broken.
    Broken,
    /// No promise was broken, but a worker ended without being told to, or did not drain.
    Surprised,
}

/// The last line of a run.
#[derive(Debug, Serialize)]
struct Summary {
    seed: u64,
    jobs: usize,
    succeeded: usize,
    failed: usize,
    paused: usize,
    kills: usize,
    stops: usize,
    db_restarts: usize,
    cuts: usize,
    lost_jobs: usize,
    double_stage_commits: usize,
    repeated_settled_calls: usize,
    overspent_jobs: usize,
    event_gaps: usize,
    stale_writes_refused: usize,
}

impl Report {
    /// How many breaches there are of each of the promises that none may be broken of.
    #[must_use]
    pub fn breaches(&self) -> [(&'static str, usize); 5] {
        let findings = &self.findings;
        [
            ("lost_jobs", jobs(findings, Promise::LostJob)),
            ("double_stage_commits", times(findings, Promise::DoubleCommit)),
            ("repeated_settled_calls", times(findings, Promise::RepeatedCall)),
            ("overspent_jobs", jobs(findings, Promise::Overspent)),
            ("event_gaps", times(findings, Promise::EventGap)),
        ]
    }

    /// How it ended.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if !self.findings.is_empty() {
            Verdict::Broken
        } else if !self.seen.surprises.is_empty() {
            Verdict::Surprised
        } else {
            Verdict::Kept
        }
    }

    /// What the run came to, as one JSON object.
    ///
    /// # Panics
    ///
    /// Never: numbers can be written.
    #[must_use]
    pub fn json(&self) -> String {
        let [lost_jobs, double_commits, repeated_calls, overspent_jobs, event_gaps] =
            self.breaches().map(|(_, count)| count);
        let summary = Summary {
            seed: self.seed,
            jobs: self.evidence.records.len(),
            succeeded: self.in_state("succeeded"),
            failed: self.in_state("failed"),
            paused: self.in_state("paused"),
            kills: self.done.kills,
            stops: self.done.stops,
            db_restarts: self.done.db_restarts,
            cuts: self.done.cuts,
            lost_jobs,
            double_stage_commits: double_commits,
            repeated_settled_calls: repeated_calls,
            overspent_jobs,
            event_gaps,
            stale_writes_refused: self.stale_writes_refused,
        };
        serde_json::to_string(&summary).unwrap()
    }

    fn in_state(&self, wanted: &str) -> usize {
        let records = self.evidence.records.values();
        let standings = records.filter_map(|record| record.standing());
        standings.filter(|standing| standing.state == wanted).count()
    }

    /// How many times a worker that held a lease was killed, stopped, and cut off, and how often the database
    /// was restarted.
    #[must_use]
    pub const fn harm(&self) -> [usize; 4] {
        let Done { kills, stops, cuts, db_restarts, .. } = self.done;
        [kills, stops, cuts, db_restarts]
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Finding { promise, job, says } in self.findings.iter().take(TOLD_MAX) {
            writeln!(f, "{promise:?}: job {} {says}", hyphenated(job))?;
        }
        if self.findings.len() > TOLD_MAX {
            writeln!(f, "and {} more", self.findings.len() - TOLD_MAX)?;
        }
        for surprise in &self.seen.surprises {
            writeln!(f, "{surprise}")?;
        }
        let Seen { aborts, drained, cut, refused, .. } = self.seen;
        let (terminations, requests) = (self.done.terminations, self.evidence.requests.len());
        writeln!(
            f,
            "{requests} requests; jobs killed their worker {aborts} times; {terminations} workers were \
             told to end in the middle of work; {drained} drained in all, and the deadline cut {cut}; \
             {refused} refused to start while the database was gone"
        )?;
        for (name, count) in self.breaches().into_iter().filter(|(_, count)| *count > 0) {
            writeln!(f, "the checker saw it: {name} is {count}")?;
        }
        if let Some(left) = &self.left {
            write!(f, "{left}")?;
        }
        Ok(())
    }
}

/// A job's id as the programs write it.
fn hyphenated(id: &str) -> String {
    let mut id = id.to_owned();
    for at in [20, 16, 12, 8] {
        if id.is_char_boundary(at) {
            id.insert(at, '-');
        }
    }
    id
}
