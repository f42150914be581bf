//! The jobs that this process holds, and what it knows about each lease.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use koinon_domain::{Generation, JobId, TenantId, WorkerId};
use koinon_store::Signal;
use tokio::sync::watch;

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
    trusted_until: AtomicU64,
    /// When a heartbeat first saw that the job has to stop; 0 while none has.
    halted_at: AtomicU64,
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
            trusted_until: AtomicU64::new(0),
            halted_at: AtomicU64::new(0),
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

    /// Whether the job has had longer than `flush_for` to end after it was told to stop. Then something in
    /// it does not yield, and its lease is left to lapse.
    pub(crate) fn is_overdue(&self, now: Duration, flush_for: Duration) -> bool {
        if self.halted().is_none() {
            return false;
        }
        let now = micros(now).max(1);
        let first = self.halted_at.compare_exchange(0, now, Ordering::AcqRel, Ordering::Acquire);
        let since = now.saturating_sub(first.map_or_else(|at| at, |_| now));
        since > micros(flush_for)
    }

    /// The store confirmed the whole lease for a request that was sent at `sent_at`.
    pub(crate) fn renewed(&self, sent_at: Duration) {
        self.trust(sent_at + self.lease_for);
    }

    /// The store applied a commit that was sent at `sent_at`: at least half of the lease is left from there on.
    pub(crate) fn committed(&self, sent_at: Duration) {
        self.trust(sent_at + self.lease_for / 2);
    }

    /// The lease lasts until then at least; it is trusted until a margin before.
    fn trust(&self, lasts_until: Duration) {
        let until = lasts_until - self.lease_for / 8;
        self.trusted_until.fetch_max(micros(until), Ordering::Release);
    }

    /// Until when the process trusts the lease, on its monotonic clock.
    pub(crate) fn trusted_until(&self) -> Duration {
        Duration::from_micros(self.trusted_until.load(Ordering::Acquire))
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
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

    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<JobId, Arc<Held>>> {
        // Nothing that can panic runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
