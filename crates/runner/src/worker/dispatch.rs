//! Claiming for all free permits.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use koinon_admission::Permit;
use koinon_domain::QueueName;
use koinon_store::{ClaimRequest, Claimed, Error, PeekRequest, Scope};

use super::{Core, Worker};
use crate::committer::FULL_FOR;

/// When a dispatcher ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Until {
    /// When the worker is told to stop.
    Stopped,
    /// When nothing is ready, leased or waits for a retry any more, or the worker is told to stop.
    Idle,
}

impl Worker {
    /// Claims and runs the jobs of `queues` until the time has come. What is running then goes on;
    /// [`drain`](Self::drain) waits for it.
    ///
    /// # Errors
    ///
    /// A failure of the store that waiting does not cure.
    pub async fn dispatch(&self, queues: &[QueueName], until: Until) -> Result<(), Error> {
        let core = &self.0;
        let mut peeked = core.peeked.subscribe();
        peeked.mark_changed();
        while !core.stop.is_cancelled() {
            tokio::select! {
                changed = peeked.changed() => if changed.is_err() { return Ok(()) },
                () = core.stop.cancelled() => return Ok(()),
            }
            let ready = peeked.borrow_and_update().ready.clone();
            let mut claimed = 0;
            for queue in queues.iter().filter(|queue| ready.contains(queue)) {
                claimed += core.claim_all(&Scope::Queue(queue.clone())).await?;
            }
            if until == Until::Idle && claimed == 0 && core.is_idle(queues).await? {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// A claimed job, the permit that it runs under, and an instant from before the claim was sent.
pub(super) struct Begun {
    pub(super) claimed: Claimed,
    pub(super) permit: Permit,
    pub(super) claimed_before: Duration,
}

impl Core {
    /// Claims as long as claims come back full and permits are free. Returns how many jobs it began.
    async fn claim_all(self: &Arc<Self>, scope: &Scope) -> Result<usize, Error> {
        let mut begun = 0;
        loop {
            let jobs = self.claim(scope).await?;
            if jobs.is_empty() {
                return Ok(begun);
            }
            begun += jobs.len();
            for job in jobs {
                let run = Arc::clone(self).run(job.claimed, job.permit, job.claimed_before);
                self.tracker.spawn(run);
            }
        }
    }

    /// Claims as many jobs as there are free permits. A permit that finds no job is given back.
    pub(super) async fn claim(&self, scope: &Scope) -> Result<Vec<Begun>, Error> {
        if self.stop.is_cancelled() {
            return Ok(Vec::new());
        }
        let permits: Vec<_> = std::iter::from_fn(|| self.bulkhead.try_acquire()).collect();
        let limit = u32::try_from(permits.len()).unwrap_or(u32::MAX);
        if limit == 0 {
            return Ok(Vec::new());
        }
        let claimed_before = self.services.clock.monotonic();
        let request = ClaimRequest {
            owner: self.id,
            scope: scope.clone(),
            limit,
            lease_for: self.config.lease_for,
        };
        match self.services.leases.claim(&request).await {
            Ok(claimed) => {
                self.note_space(None);
                let pairs = claimed.into_iter().zip(permits);
                Ok(pairs
                    .map(|(claimed, permit)| Begun { claimed, permit, claimed_before })
                    .collect())
            }
            Err(error) if error.is_transient() => {
                tracing::warn!(%error, "a claim got no answer");
                self.look_for_lost_claims();
                self.note_space(matches!(error, Error::Full(_)).then_some(error));
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }

    /// Whether a claim found no space, and for so long that whoever drives a job has to know.
    fn note_space(&self, full: Option<Error>) {
        let mut since = self.full_since.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(error) = full else {
            *since = None;
            return;
        };
        let now = self.services.clock.monotonic();
        if now.saturating_sub(*since.get_or_insert(now)) >= FULL_FOR {
            self.note_trouble(&error.into());
        }
    }

    /// Whether nothing runs here, and nothing is ready, leased or waits for a retry anywhere.
    async fn is_idle(&self, queues: &[QueueName]) -> Result<bool, Error> {
        if self.bulkhead.available() < self.capacity {
            return Ok(false);
        }
        let peek = PeekRequest { owner: self.id, queues: queues.to_vec() };
        let peek = self.services.leases.peek(&peek).await?;
        Ok(peek.ready.is_empty() && peek.next_due_at.is_none() && peek.next_expiry_at.is_none())
    }
}
