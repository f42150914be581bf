//! `spawn_child`: starts a child that starts more, one of which leaves the child's process group.

use koinon::prelude::{Failure, JobContext, JobError, Workload, async_trait};
use koinon::runner::child::ChildCommand;
use serde::Deserialize;

pub(crate) struct SpawnChild;

/// How long the children live.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// Seconds, as `sleep` takes them; a test finds its children by this text.
    sleep: String,
    /// The same, where the job was claimed before.
    sleep_again: String,
}

#[async_trait]
impl Workload for SpawnChild {
    const KIND: &'static str = "spawn_child";
    const STAGES: &'static [&'static str] = &[];
    type Input = Input;
    type Output = String;

    async fn run(&self, job: &JobContext, input: Input) -> Result<String, JobError> {
        let time = if job.generation().get() == 1 { input.sleep } else { input.sleep_again };
        let line = r#"setsid sleep "$1" & sleep "$1" & sleep "$1"; echo done"#;
        let child = ChildCommand::new("sh").args(["-c", line, "sh", &time]);
        let output = child.output().await;
        let output = output.map_err(|error| Failure::permanent(error.to_string()))?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}
