//! The stored results of a stage, and the policy for results of other inputs.

use std::collections::HashMap;
use std::sync::Arc;

use koinon_domain::{Digest, ErrorCode, ItemKey, StageName};
use koinon_store::{CheckpointKey, Note, Stored};

use super::OnChanged;
use crate::committer::Part;
use crate::context::Running;
use crate::door::Known;
use crate::{Failure, JobError};

/// The results that a stage has stored, by item.
#[derive(Debug)]
pub(crate) struct Results {
    stage: StageName,
    version: u32,
    /// Whether nothing can be stored about the stage yet.
    is_new: bool,
    stored: HashMap<Option<ItemKey>, Vec<(Digest, Stored)>>,
}

impl Results {
    /// The results of a stage that begins now.
    pub(crate) async fn read(
        running: &Running,
        stage: &StageName,
        version: u32,
    ) -> Result<Self, JobError> {
        let mut stored: HashMap<_, Vec<_>> = HashMap::new();
        let is_new = running.begins_new(stage);
        if !is_new {
            for found in running.services.jobs.checkpoints(running.spec.id, stage).await? {
                if found.key.version == version {
                    stored.entry(found.key.item).or_default().push((found.key.input, found.result));
                }
            }
        }
        Ok(Self { stage: stage.clone(), version, is_new, stored })
    }

    /// What the ledger knows about the calls of the stage.
    pub(crate) async fn known_calls(&self, running: &Running) -> Result<Arc<Known>, JobError> {
        if self.is_new {
            return Ok(Arc::default());
        }
        let records = running.services.ledger.calls(running.spec.id, &self.stage).await?;
        Ok(Arc::new(Known::new(records)))
    }

    pub(crate) fn key(&self, item: Option<ItemKey>, input: Digest) -> CheckpointKey {
        CheckpointKey { stage: self.stage.clone(), version: self.version, item, input }
    }

    /// The result that serves `input`, as `policy` says where only one of another input is there.
    pub(crate) async fn find(
        &mut self,
        running: &Running,
        item: Option<&ItemKey>,
        input: Digest,
        policy: OnChanged,
    ) -> Result<Option<Stored>, JobError> {
        let Some(mut found) = self.stored.remove(&item.cloned()) else { return Ok(None) };
        if let Some(at) = found.iter().position(|(digest, _)| *digest == input) {
            return Ok(Some(found.swap_remove(at).1));
        }
        let Some((_, other)) = found.pop() else { return Ok(None) };
        match policy {
            OnChanged::Rerun => {
                self.tell(running, item, "rerun").await?;
                Ok(None)
            }
            OnChanged::Reuse => {
                self.tell(running, item, "reuse").await?;
                Ok(Some(other))
            }
            OnChanged::Fail => {
                let message = format!(
                    "stage {} has a result for another input, and its policy says fail",
                    self.stage
                );
                Err(Failure::permanent(message).with_code(ErrorCode::INPUT_MISMATCH).into())
            }
        }
    }

    async fn tell(
        &self,
        running: &Running,
        item: Option<&ItemKey>,
        policy: &str,
    ) -> Result<(), JobError> {
        let mut detail = vec![
            ("stage".to_owned(), self.stage.to_string()),
            ("policy".to_owned(), policy.to_owned()),
        ];
        detail.extend(item.map(|item| ("item".to_owned(), item.to_string())));
        let note = Note { name: "input_changed".to_owned(), detail };
        Ok(running.committer.write(Part { notes: vec![note], ..Part::default() }).await?)
    }
}
