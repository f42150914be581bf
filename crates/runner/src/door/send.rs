//! Sending: once, under a lease that is trusted.

use koinon_domain::{Digest, ErrorCode};
use koinon_provider::{Call, CallMetadata, Failure, Outcome, Request, Sent};
use koinon_retry::Class;

use super::Opened;
use crate::context::Running;

impl Running {
    /// Sends the request, once. The client behind it never tries again.
    pub(super) async fn send(&self, opened: &Opened, request: &Request) -> Outcome {
        let Some(provider) = self.services.providers.get(&request.provider) else {
            let message = format!("there is no provider {:?}", request.provider);
            return unsent(Class::Permanent, &ErrorCode::PROVIDER, &message);
        };
        if self.held.halted().is_some() {
            return unsent(
                Class::Interrupted,
                &ErrorCode::INTERRUPTED,
                "told to stop before sending",
            );
        }
        if self.services.clock.monotonic() >= self.held.trusted_until() {
            self.held.stop(crate::Halt::LeaseLost);
            return unsent(Class::LeaseLost, &ErrorCode::LEASE_LOST, "the lease is not trusted");
        }
        self.tally.count_call();
        let call = Call {
            request,
            idempotency_key: self.idempotency_key(opened),
            metadata: CallMetadata {
                job: self.spec.id.to_string(),
                generation: self.held.generation.get(),
            },
            deadline: self.config.call_for,
        };
        // The provider keeps the deadline itself; this one holds whatever it does.
        let deadline = self.config.call_for + self.config.flush_for;
        let sent = tokio::time::timeout(deadline, provider.send(call)).await;
        sent.unwrap_or_else(|_| Outcome::InDoubt {
            failure: Failure::new(Class::Transient, "timeout", "the provider kept no deadline"),
        })
    }

    /// The digest of the call key: equal over the retries of one call, another for each new try after a
    /// rejected answer.
    fn idempotency_key(&self, opened: &Opened) -> String {
        let call = &opened.call;
        let job = self.spec.id.as_uuid();
        Digest::of_fields(&[
            job.as_bytes(),
            call.call.as_bytes(),
            &call.sample.to_be_bytes(),
            &call.retry.to_be_bytes(),
        ])
        .to_string()
    }
}

fn unsent(class: Class, code: &ErrorCode, message: &str) -> Outcome {
    let failure = Failure::new(class, code.as_str(), message);
    Outcome::Released { failure, sent: Sent::Before }
}
