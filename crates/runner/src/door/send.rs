//! Sending: once, under a lease that is trusted.

use std::sync::Arc;

use koinon_domain::ErrorCode;
use koinon_provider::{Call, CallMetadata, Failure, Outcome, Provider, Request, Sent};
use koinon_retry::Class;
use koinon_store::Note;

use super::Opened;
use crate::committer::Part;
use crate::context::Running;
use crate::{Halt, JobError};

impl Running {
    /// The provider of a request. Where this program does not have it, the job is left to others, and an
    /// event says which one is missing.
    pub(super) async fn provider(&self, request: &Request) -> Result<Arc<dyn Provider>, JobError> {
        if let Some(provider) = self.services.providers.get(&request.provider) {
            return Ok(Arc::clone(provider));
        }
        let detail = vec![("provider".to_owned(), request.provider.clone())];
        let note = Note { name: "provider_missing".to_owned(), detail };
        self.committer.write(Part { notes: vec![note], ..Part::default() }).await?;
        self.held.stop(Halt::NoProvider);
        Err(Halt::NoProvider.into())
    }

    /// Sends the request, once. The client behind it never tries again.
    pub(super) async fn send(
        &self,
        provider: &dyn Provider,
        opened: &Opened,
        request: &Request,
    ) -> Outcome {
        if self.held.halted().is_some() {
            return unsent(
                Class::Interrupted,
                &ErrorCode::INTERRUPTED,
                "told to stop before sending",
            );
        }
        if self.services.clock.monotonic() >= self.held.trusted_until() {
            self.held.stop(Halt::LeaseLost);
            return unsent(Class::LeaseLost, &ErrorCode::LEASE_LOST, "the lease is not trusted");
        }
        self.tally.count_call();
        let call = Call {
            request,
            idempotency_key: opened.call.idempotency_key(self.spec.id).to_string(),
            metadata: CallMetadata {
                job: self.spec.id.to_string(),
                generation: self.held.generation.get(),
            },
            deadline: self.config.call_for,
        };
        // The provider keeps the deadline itself; this one holds whatever it does.
        let deadline = self.config.call_for + self.config.flush_for;
        let sent = tokio::time::timeout(deadline, provider.send(call)).await;
        let outcome = sent.unwrap_or_else(|_| Outcome::InDoubt {
            failure: Failure::new(Class::Transient, "timeout", "the provider kept no deadline"),
        });
        if matches!(outcome, Outcome::Released { sent: Sent::Before, .. }) {
            self.tally.uncount_call();
        }
        outcome
    }
}

fn unsent(class: Class, code: &ErrorCode, message: &str) -> Outcome {
    let failure = Failure::new(class, code.as_str(), message);
    Outcome::Released { failure, sent: Sent::Before }
}
