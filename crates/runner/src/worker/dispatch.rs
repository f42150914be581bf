//! Claiming for the queues of a worker.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use koinon_domain::{Kind, QueueName};
use koinon_store::{Claim, ClaimRequest, Claimed, Error, Loaded, PeekRequest, Scope};
use tokio_util::sync::CancellationToken;

use super::presence::presence;
use super::{Core, Seat, Worker, prune};
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
    /// Claims and runs the jobs of its queues until the time has come. What is running then goes on;
    /// [`drain`](Self::drain) waits for it. Queues that have work take turns, in the order in which they
    /// began to wait for a permit.
    ///
    /// # Errors
    ///
    /// A failure of the store that waiting does not cure. It may be called again.
    ///
    /// # Cancel safety
    ///
    /// Nothing is claimed any more once it is dropped, and what was claimed is run.
    pub async fn dispatch(&self, until: Until) -> Result<(), Error> {
        let core = &self.0;
        if !core.is_present.swap(true, Ordering::AcqRel) {
            core.tracker.spawn(presence(Arc::clone(core)));
            core.tracker.spawn(prune::sweep(Arc::clone(core)));
        }
        let finish = core.stop.child_token();
        let lanes = core.lanes.iter().map(async |lane| {
            let served = core.serve(lane, &finish).await;
            // The failure of one lane ends them all, each after the claim that is under way.
            finish.cancel();
            served
        });
        let idle = async {
            let idle = match until {
                Until::Stopped => Ok(()),
                Until::Idle => core.until_idle(&finish).await,
            };
            if until == Until::Idle {
                finish.cancel();
            }
            idle
        };
        let (served, idle) = tokio::join!(futures::future::join_all(lanes), idle);
        served.into_iter().collect::<Result<(), Error>>().and(idle)
    }
}

/// A claimed job, what it is about, the turn that it runs under or waits for, and an instant from before the claim was sent.
pub(crate) struct Begun {
    pub(crate) claimed: Claimed,
    pub(crate) claim: Claim,
    pub(crate) seat: Seat,
    pub(crate) claimed_before: Duration,
}

impl Core {
    /// Claims at most as many jobs of a queue as there are turns, and reads them. A turn that finds no job is
    /// given back.
    pub(super) async fn claim(
        &self,
        queue: &QueueName,
        scope: Scope,
        seats: Vec<Seat>,
    ) -> Result<Vec<Begun>, Error> {
        let limit = u32::try_from(seats.len()).unwrap_or(u32::MAX);
        if limit == 0 || self.stop.is_cancelled() {
            return Ok(Vec::new());
        }
        let claimed_before = self.services.clock.monotonic();
        let request = ClaimRequest {
            owner: self.id,
            scope,
            limit,
            running: self.services.running_limits.get(queue).copied().unwrap_or_default(),
            lease_for: self.config.lease_for,
            starts: self.starting(&seats),
        };
        let taking = self.takes.begin();
        let taken = self.services.leases.take(&request).await;
        drop(taking);
        match taken {
            Ok(taken) => {
                self.note_space(None);
                self.claims.fetch_add(u64::from(!taken.is_empty()), Ordering::Relaxed);
                let begun = taken.into_iter().zip(seats).filter_map(|((claimed, loaded), seat)| {
                    let claim = self.read(&claimed, loaded)?;
                    Some(Begun { claimed, claim, seat, claimed_before })
                });
                Ok(begun.collect())
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

    /// The kinds whose jobs start with a claim for these turns: all that are run here, if every turn is free.
    fn starting(&self, seats: &[Seat]) -> Vec<Kind> {
        if seats.iter().any(|seat| matches!(seat, Seat::Promised(_))) {
            return Vec::new();
        }
        self.services.workloads.kinds().filter_map(|kind| Kind::try_new(kind).ok()).collect()
    }

    /// What a claim is about. One that is no longer the job's, or cannot be read, is left out.
    fn read(&self, claimed: &Claimed, loaded: Loaded) -> Option<Claim> {
        match loaded {
            Ok(claim) => claim,
            Err(error) => {
                let job = claimed.job;
                tracing::error!(%job, %error, "a claimed job could not be read");
                // What the store has not given back itself is handed back.
                self.look_for_lost_claims();
                None
            }
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

    /// Ends when nothing is left to do, or when `finish` is cancelled.
    async fn until_idle(&self, finish: &CancellationToken) -> Result<(), Error> {
        let mut peeked = self.peeked.subscribe();
        loop {
            if self.is_idle().await? {
                return Ok(());
            }
            tokio::select! {
                changed = peeked.changed() => if changed.is_err() { return Ok(()) },
                () = finish.cancelled() => return Ok(()),
            }
        }
    }

    /// Whether nothing runs here, and nothing is ready, leased or waits for a retry anywhere, and no tick is due.
    async fn is_idle(&self) -> Result<bool, Error> {
        if self.bulkhead.available() < self.capacity {
            return Ok(false);
        }
        let queues = self.lanes.iter().map(|lane| lane.queue().clone()).collect();
        let peek = PeekRequest { owner: self.id, queues };
        match self.services.leases.peek(&peek).await {
            Ok(peek) => Ok(peek.ready.is_empty()
                && !peek.tick_due
                && peek.next_due_at.is_none()
                && peek.next_expiry_at.is_none()),
            Err(error) if error.is_transient() => Ok(false),
            Err(error) => Err(error),
        }
    }
}
