//! Stages: named, typed steps whose results are stored.

mod call;
mod each;
mod each_call;
mod once;
mod results;

use koinon_domain::{Digest, Progress, StageName};
use serde::Serialize;

pub use call::StageScope;
pub use each_call::Item;

use crate::{Failure, JobContext, JobError};

/// What happens when a stage or item has a stored result for another input than the present one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OnChanged {
    /// Run it for the new input; the old result stays. An event says so.
    #[default]
    Rerun,
    /// Take the stored result all the same. An event says so.
    Reuse,
    /// Fail the job with `input_mismatch`.
    Fail,
}

/// A stage about to run.
#[derive(Debug)]
#[must_use = "a stage does nothing until it is run with `once`, `each` or `each_call`"]
pub struct Stage<'job> {
    job: &'job JobContext,
    name: &'static str,
    version: u32,
    on_changed: OnChanged,
    concurrency: usize,
    unit: &'static str,
}

impl<'job> Stage<'job> {
    pub(crate) const fn new(job: &'job JobContext, name: &'static str) -> Self {
        Self { job, name, version: 1, on_changed: OnChanged::Rerun, concurrency: 1, unit: "items" }
    }

    /// The version of the stage's code; 1 unless it is set. A result of another version does not
    /// serve.
    pub const fn version(mut self, version: u32) -> Self {
        self.version = version;
        self
    }

    /// What happens when there is a result for another input.
    pub const fn on_changed(mut self, policy: OnChanged) -> Self {
        self.on_changed = policy;
        self
    }

    /// How many items run at once; at least 1.
    pub const fn concurrency(mut self, items: usize) -> Self {
        self.concurrency = if items == 0 { 1 } else { items };
        self
    }

    /// What the progress counts, in the plural; `items` unless it is set.
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// The stage's name, if the workload declared it.
    fn declared(&self) -> Result<StageName, JobError> {
        if !self.job.0.stages.contains(&self.name) {
            let message = format!("the workload declares no stage {:?} in STAGES", self.name);
            return Err(Failure::permanent(message).into());
        }
        StageName::try_new(self.name).map_err(|error| Failure::permanent(error.to_string()).into())
    }

    fn progress(&self, stage: &StageName, done: usize, total: usize) -> Progress {
        Progress {
            stage: stage.clone(),
            done: done as u64,
            total: total as u64,
            unit: self.unit.to_owned(),
        }
    }
}

/// The digest that a stored result is found by.
fn input_digest(input: &impl Serialize) -> Result<Digest, JobError> {
    Ok(Digest::of(&crate::stored::to_json(input)?))
}
