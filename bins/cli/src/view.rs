//! Jobs as programs read them.

mod lines;
mod output;

use std::fmt::Display;

use koinon::budget::{Limits, NanoUsd};
use koinon::domain::{ErrorCode, Progress};
use koinon::store::JobStatus;
use serde::Serialize;

use crate::instant;

pub(crate) use lines::{Lines, table};
pub(crate) use output::{OutputView, Summary};

/// A job as it stands.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct JobView {
    pub(crate) job_id: String,
    pub(crate) kind: String,
    pub(crate) project: String,
    pub(crate) queue: String,
    pub(crate) state: &'static str,
    pub(crate) error_code: Option<String>,
    pub(crate) error_summary: Option<String>,
    pub(crate) generation: i64,
    pub(crate) attempt: u32,
    /// Requests sent over the job's life.
    pub(crate) calls: i64,
    /// Those of them whose outcome is unknown.
    pub(crate) calls_in_doubt: i64,
    pub(crate) spent_usd: String,
    pub(crate) reserved_usd: String,
    pub(crate) in_doubt_usd: String,
    pub(crate) limits: LimitsView,
    pub(crate) progress: Option<ProgressView>,
    pub(crate) submitted_at: String,
    pub(crate) ended_at: Option<String>,
}

/// What a job may spend; null is no limit.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LimitsView {
    pub(crate) cost_usd: Option<String>,
    pub(crate) calls: Option<u32>,
    pub(crate) items: Option<u32>,
    pub(crate) input_tokens: Option<u64>,
    pub(crate) output_tokens: Option<u64>,
    pub(crate) run_for_ms: Option<u64>,
}

/// How far a job has come.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ProgressView {
    pub(crate) stage: String,
    pub(crate) done: u64,
    pub(crate) total: u64,
    pub(crate) unit: String,
}

impl JobView {
    pub(crate) fn of(job: &JobStatus) -> Self {
        let (spec, run) = (&job.spec, &job.run);
        let balance = &run.balance;
        let calls = balance.spent.plus(balance.reserved).plus(balance.in_doubt).calls;
        Self {
            job_id: spec.id.to_string(),
            kind: spec.kind.to_string(),
            project: spec.project.to_string(),
            queue: spec.queue.to_string(),
            state: run.state.as_str(),
            error_code: run.failed.as_ref().map(|failed| failed.code.to_string()),
            error_summary: run.failed.as_ref().map(|failed| failed.summary.to_string()),
            generation: run.generation.get(),
            attempt: run.attempt.get(),
            calls,
            calls_in_doubt: balance.in_doubt.calls,
            spent_usd: balance.spent.cost.to_string(),
            reserved_usd: balance.reserved.cost.to_string(),
            in_doubt_usd: balance.in_doubt.cost.to_string(),
            limits: LimitsView::of(&run.limits),
            progress: run.progress.as_ref().map(ProgressView::of),
            submitted_at: instant::exact(spec.submitted_at),
            ended_at: run.ended_at.map(instant::exact),
        }
    }

    /// The same job, with what went wrong on this side of it.
    pub(crate) fn with_error(mut self, code: &ErrorCode, summary: &str) -> Self {
        self.error_code = Some(code.to_string());
        self.error_summary = Some(summary.to_owned());
        self
    }

    /// The job, line by line.
    pub(crate) fn lines(&self) -> Lines {
        let mut lines = Lines::default();
        lines.add("job", &self.job_id);
        lines.add("state", self.state);
        if let (Some(code), Some(summary)) = (&self.error_code, &self.error_summary) {
            lines.add("reason", format!("{code}: {summary}"));
        }
        lines.add("kind", &self.kind);
        lines.add("project", &self.project);
        if let Some(progress) = &self.progress {
            lines.add("progress", progress.text());
        }
        lines.add("calls", of_limit(&self.calls, self.limits.calls.map(i64::from).as_ref()));
        let spent = usd(&self.spent_usd);
        lines.add("spent", of_limit(&spent, self.limits.cost_usd.as_deref().map(usd).as_ref()));
        if self.reserved_usd != "0" {
            lines.add("reserved", usd(&self.reserved_usd));
        }
        if self.calls_in_doubt > 0 {
            let (calls, cost) = (self.calls_in_doubt, usd(&self.in_doubt_usd));
            lines.add("in doubt", format!("{calls} calls, {cost}"));
        }
        lines
    }
}

impl LimitsView {
    pub(crate) fn of(limits: &Limits) -> Self {
        let millis = |time: std::time::Duration| u64::try_from(time.as_millis());
        Self {
            cost_usd: limits.cost.map(|cost: NanoUsd| cost.to_string()),
            calls: limits.calls,
            items: limits.items,
            input_tokens: limits.input_tokens,
            output_tokens: limits.output_tokens,
            run_for_ms: limits.run_for.map(|time| millis(time).unwrap_or(u64::MAX)),
        }
    }
}

impl ProgressView {
    fn of(progress: &Progress) -> Self {
        Self {
            stage: progress.stage.to_string(),
            done: progress.done,
            total: progress.total,
            unit: progress.unit.clone(),
        }
    }

    /// How far it is, in words.
    pub(crate) fn text(&self) -> String {
        format!("{}, {} of {} {}", self.stage, self.done, self.total, self.unit)
    }
}

/// An amount of dollars for people.
pub(crate) fn usd(amount: &str) -> String {
    format!("{amount} USD")
}

/// An amount, and the limit that it has.
fn of_limit<T: Display>(amount: &T, limit: Option<&T>) -> String {
    match limit {
        Some(limit) => format!("{amount} of {limit}"),
        None => amount.to_string(),
    }
}
