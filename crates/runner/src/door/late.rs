//! Answers that are booked late, by a worker that has lost its lease or by a person.

use koinon_store::{HoldOutcome, Stored};

use super::{Caller, Known, Opened};
use crate::JobError;
use crate::context::Running;

impl Running {
    /// The answer of a call that was in doubt when the ledger was read, if it was booked since then, with
    /// what the ledger knows now.
    ///
    /// It is asked once the hold is open. What was booked before that is seen here; what is booked after it
    /// finds a request under way, as if both had been sent at once.
    pub(super) async fn answered_since(
        &self,
        opened: &Opened,
        caller: &Caller,
    ) -> Result<Option<(Stored, Known)>, JobError> {
        let read = self.services.ledger.calls(self.spec.id, &caller.stage).await;
        let known = Known::new(read?);
        let answer = known.answer(opened.call.call, caller.sample).cloned();
        Ok(answer.map(|stored| (stored, known)))
    }

    /// Ends the hold of a request that is not sent after all.
    pub(super) async fn release_unsent(&self, opened: Opened) -> Result<(), JobError> {
        self.end_hold(opened, HoldOutcome::Released { sent: false }, None).await
    }
}
