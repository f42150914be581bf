//! The jobs that this process holds, and what it knows about each lease.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use koinon_domain::{Generation, JobId, TenantId, WorkerId};
use koinon_store::Signal;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::Halt;

/// One claim, shared by everybody in the process who has to do with it.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) job: JobId,
    pub(crate) tenant: TenantId,
    pub(crate) owner: WorkerId,
    pub(crate) generation: Generation,
    pub(crate) lease_for: Duration,
    halt: watch::Sender<Option<Halt>>,
    /// Drops everything that the claim still runs.
    pub(crate) abort: CancellationToken,
    trusted_until: AtomicU64,
    pub(crate) checkpointed: AtomicBool,
}

impl Held {
    pub(crate) fn new(
        job: JobId,
        tenant: TenantId,
        owner: WorkerId,
        generation: Generation,
        lease_for: Duration,
        claimed_before: Duration,
    ) -> Self {
        let held = Self {
            job,
            tenant,
            owner,
            generation,
            lease_for,
            halt: watch::Sender::new(None),
            abort: CancellationToken::new(),
            trusted_until: AtomicU64::new(0),
            checkpointed: AtomicBool::new(false),
        };
        held.renewed(claimed_before);
        held
    }

    /// Why the job has to stop, if it has to.
    pub(crate) fn halted(&self) -> Option<Halt> {
        *self.halt.borrow()
    }

    /// Nothing new may start when this errs.
    pub(crate) fn check(&self) -> Result<(), Halt> {
        self.halted().map_or(Ok(()), Err)
    }

    /// Tells everybody to stop; of several reasons the one of the highest rank stays.
    pub(crate) fn stop(&self, reason: Halt) {
        self.halt.send_if_modified(|halt| {
            let higher = halt.is_none_or(|present| reason.rank() > present.rank());
            if higher {
                *halt = Some(reason);
            }
            higher
        });
    }

    /// Does what the store asks for.
    pub(crate) fn obey(&self, signal: Signal) {
        match signal {
            Signal::Continue => {}
            Signal::Pause => self.stop(Halt::Pause),
            Signal::Cancel => self.stop(Halt::Cancel),
            Signal::OverBudget(exceeded) => self.stop(Halt::Budget(exceeded)),
        }
    }

    /// Ends when the job has to stop.
    pub(crate) async fn until_halted(&self) -> Halt {
        let mut halt = self.halt.subscribe();
        loop {
            if let Some(reason) = *halt.borrow_and_update() {
                return reason;
            }
            // The sender lives in `self`, so this cannot fail.
            if halt.changed().await.is_err() {
                return Halt::LeaseLost;
            }
        }
    }

    /// The store confirmed the lease for a request that was sent at `sent_at`: the process trusts it
    /// until a margin before it could lapse.
    pub(crate) fn renewed(&self, sent_at: Duration) {
        let until = sent_at + self.lease_for - self.lease_for / 8;
        let micros = u64::try_from(until.as_micros()).unwrap_or(u64::MAX);
        self.trusted_until.fetch_max(micros, Ordering::Release);
    }

    /// Until when the process trusts the lease, on its monotonic clock.
    pub(crate) fn trusted_until(&self) -> Duration {
        Duration::from_micros(self.trusted_until.load(Ordering::Acquire))
    }
}

/// Every claim of the process.
#[derive(Debug, Default)]
pub(crate) struct HeldJobs(Mutex<HashMap<JobId, Arc<Held>>>);

impl HeldJobs {
    pub(crate) fn insert(&self, held: Arc<Held>) {
        self.lock().insert(held.job, held);
    }

    /// Forgets a claim, unless a later one of the same job stands there.
    pub(crate) fn remove(&self, held: &Held) {
        let mut all = self.lock();
        if all.get(&held.job).is_some_and(|present| present.generation == held.generation) {
            all.remove(&held.job);
        }
    }

    pub(crate) fn get(&self, job: JobId, generation: Generation) -> Option<Arc<Held>> {
        self.lock().get(&job).filter(|held| held.generation == generation).cloned()
    }

    pub(crate) fn all(&self) -> Vec<Arc<Held>> {
        self.lock().values().cloned().collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<JobId, Arc<Held>>> {
        // Nothing that can panic runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
