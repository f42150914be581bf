//! Writing the end of a claim.

use koinon_store::End;

use super::{ClaimEnd, ClaimedRun};
use crate::JobError;
use crate::committer::{NotWritten, Part};

impl ClaimedRun {
    /// Writes how the claim ended. A claim that is lost, or whose end cannot be written, is left to
    /// recovery: nothing that was committed is lost by that.
    pub(super) async fn settle(&self, end: ClaimEnd) {
        let Some(end) = end else { return };
        let two_steps = matches!(end, End::BudgetExhausted(_));
        let mut written = self.write_end(end).await;
        if written.is_ok() && two_steps {
            written = self.write_end(End::Flushed).await;
        }
        match written {
            Ok(()) => {}
            Err(NotWritten::Stale) => {
                tracing::warn!(job = %self.held.job, "another worker has the job now");
            }
            Err(why) => {
                let error = JobError::from(why);
                tracing::error!(job = %self.held.job, %error, "the end could not be written");
                self.core.note_trouble(&error);
            }
        }
    }

    async fn write_end(&self, end: End) -> Result<(), NotWritten> {
        self.committer.write(Part { end: Some(end), ..Part::default() }).await
    }
}
