//! A stage that runs as a whole.

use koinon_store::Checkpoint;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::each::within;
use super::results::Results;
use super::{Stage, StageScope, input_digest};
use crate::JobError;
use crate::committer::Part;

impl Stage<'_> {
    /// Runs the stage, unless its result for this input is stored: then that is returned.
    ///
    /// `input` is everything that the result depends on; its digest is part of the checkpoint's key.
    ///
    /// # Errors
    ///
    /// A reason to stop, what `work` failed with, or a failure of the store.
    ///
    /// # Cancel safety
    ///
    /// The result is stored completely or not at all.
    pub async fn once<I, T, F, R>(self, input: &I, work: F) -> Result<T, JobError>
    where
        I: Serialize + ?Sized,
        T: Serialize + DeserializeOwned,
        F: FnOnce(StageScope) -> R,
        R: Future<Output = Result<T, JobError>>,
    {
        let running = &self.job.0;
        running.held.check()?;
        let stage = self.declared()?;
        let input = input_digest(&input)?;
        let mut results = Results::read(running, &stage, self.version).await?;
        if let Some(stored) = results.find(running, None, input, self.on_changed).await? {
            let bytes = crate::stored::fetch(&running.services.artifacts, stored).await?;
            return crate::stored::from_json(&bytes);
        }
        let known = results.known_calls(running).await?;
        let scope = StageScope::new(self.job, stage.clone(), known);
        let value = within(running.config.stage_for, &stage, work(scope)).await?;
        let bytes = crate::stored::to_json(&value)?;
        let result = crate::stored::store(&running.services.artifacts, bytes).await?;
        let checkpoint = Checkpoint { key: results.key(None, input), result };
        let part = Part {
            checkpoint: Some(checkpoint),
            progress: Some(self.progress(&stage, 1, 1)),
            ..Part::default()
        };
        running.committer.write(part).await?;
        Ok(value)
    }
}
