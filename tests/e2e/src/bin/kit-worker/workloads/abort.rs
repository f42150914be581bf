//! `abort`: kills its worker.

use koinon::prelude::{JobContext, JobError, Workload, async_trait};
use rustix::process::{Signal, getpid, kill_process};
use serde::Deserialize;

pub(crate) struct Abort;

/// How often it does that.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// Only so many of its first claims kill; all of them unless it is there.
    times: Option<i64>,
}

#[async_trait]
impl Workload for Abort {
    const KIND: &'static str = "abort";
    const STAGES: &'static [&'static str] = &[];
    type Input = Input;
    type Output = ();

    async fn run(&self, job: &JobContext, input: Input) -> Result<(), JobError> {
        // Each claim is one generation, and so is each recovery from the claim before.
        let claims_before = job.generation().get() / 2;
        if input.times.is_none_or(|times| claims_before < times) {
            // Nothing can be done if it does not work; then the job hangs, which nobody misses.
            let _killed = kill_process(getpid(), Signal::KILL);
            std::future::pending::<()>().await;
        }
        Ok(())
    }
}
