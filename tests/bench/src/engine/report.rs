//! What is told about a row.

use serde::Serialize;

use super::cost::PerJob;

/// A row as it was measured.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    bench: &'static str,
    /// Round by round; empty if the row could not be measured.
    rounds: Vec<Round>,
    /// What a job cost the subject, and what it cost the floor.
    #[serde(skip_serializing_if = "Option::is_none")]
    per_job: Option<Costs>,
    /// What else was seen, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    says: Vec<String>,
    /// Why there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
}

/// The subject, and what it is measured against, in the same minute.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Round {
    pub(super) value: f64,
    /// `None` for what is compared with nothing.
    pub(super) base: Option<f64>,
}

/// What one job, or one call, cost each of the two.
#[derive(Debug, Serialize)]
pub(super) struct Costs {
    pub(super) subject: PerJob,
    pub(super) floor: PerJob,
}

impl Report {
    pub(super) const fn of(bench: &'static str, rounds: Vec<Round>, costs: Option<Costs>) -> Self {
        Self { bench, rounds, per_job: costs, says: Vec::new(), missing: None }
    }

    pub(super) fn saying(mut self, says: Vec<String>) -> Self {
        self.says = says;
        self
    }

    pub(super) const fn row(&self) -> &'static str {
        self.bench
    }

    pub(super) fn missing(bench: &'static str, error: &anyhow::Error) -> Self {
        let missing = Some(format!("{error:#}"));
        Self { bench, rounds: Vec::new(), per_job: None, says: Vec::new(), missing }
    }
}
